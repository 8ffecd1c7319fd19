/** The list of events that never fire names events that the class data has. */
import { expect, test } from "bun:test";
import { type ApiMember, loadClassApiAsync } from "../../../src/headless/index.ts";
import { NEVER_FIRES } from "../../../src/headless/never-fires.ts";

test("each row is an event of the class that is named", async () => {
  const api = await loadClassApiAsync();
  for (const row of NEVER_FIRES.keys()) {
    const [className = "", name = ""] = row.split(".");
    const isOwn = (member: ApiMember) => member.kind === "event" && member.owner === className;
    const names = api
      .class(className)
      ?.members.filter(isOwn)
      .map((member) => member.name);
    expect(names, className).toContain(name);
  }
});
