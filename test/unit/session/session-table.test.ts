/** The table of sessions fits the width of the terminal. */
import { describe, expect, test } from "bun:test";
import { sessionTable } from "../../../src/session/session-table.ts";
import { createStyle } from "../../../src/util/style.ts";
import { edit, sessionInfo } from "../command-kit/sessions/sessions-fixture.ts";

const columns = (width: number) =>
  createStyle({ columns: width, color: false, isScreen: true, prettyJson: true });

describe("the list of sessions", () => {
  const server = sessionInfo({
    sessionId: "f9e8d7c6-b5a4-3210-fedc-ba0987654321",
    instanceId: "inst-002",
    placeName: "A rather long name of a place.rbxl",
    context: "server",
    state: "Play",
    origin: "headless",
    uptimeMs: 942_000,
  });

  test("of one session shows every column at 200 columns", () => {
    expect(sessionTable([edit], columns(200)).split("\n")).toEqual([
      "  SESSION ID                            PLACE           CONTEXT  STATE  PLACE ID    ORIGIN  CONNECTED",
      "  a1b2c3d4-e5f6-7890-abcd-ef1234567890  TestPlace.rbxl  Edit     Edit   1234567890  user    2m 30s",
      "",
      "1 session connected.",
    ]);
  });

  test("of two Studios at 100 columns shortens ids", () => {
    expect(sessionTable([edit, server], columns(100)).split("\n")).toEqual([
      "  Instance: TestPlace.rbxl (inst-001)",
      "",
      "  SESSION ID  PLACE                               CONTEXT  STATE  PLACE ID    ORIGIN    CONNECTED",
      "  a1b2c3d4    TestPlace.rbxl                      Edit     Edit   1234567890  user      2m 30s",
      "",
      "  Instance: A rather long name of a place.rbxl (inst-002)",
      "",
      "  SESSION ID  PLACE                               CONTEXT  STATE  PLACE ID    ORIGIN    CONNECTED",
      "  f9e8d7c6    A rather long name of a place.rbxl  Server   Play   1234567890  headless  15m 42s",
      "",
      "2 sessions connected (2 instances).",
    ]);
  });

  test("of Studios with long ids and names fits 60 columns", () => {
    const instanceId = "A1A9A06B-069C-4493-9137-8C00192DDC10";
    const named = { ...server, instanceId, placeName: "A place with the very longest of all names.rbxl" };
    const headings = (...of: (typeof edit)[]) =>
      sessionTable([edit, ...of], columns(60))
        .split("\n")
        .filter((line) => line.includes("Instance:"));
    expect(headings({ ...named, placeName: "Short.rbxl" })).toContain("  Instance: Short.rbxl (A1A9A06B)");
    expect(headings(named, { ...named, instanceId: "A1A9A06C" })).toEqual([
      "  Instance: TestPlace.rbxl (inst-001)",
      "  Instance: A place with the very longest of all… (A1A9A06B)",
      "  Instance: A place with the very longest of all… (A1A9A06C)",
    ]);
  });

  test("fits 60 columns", () => {
    const lines = sessionTable([edit, server], columns(60)).split("\n");
    expect(lines.filter((line) => Bun.stringWidth(line) > 60)).toEqual([]);
    expect(lines).toContain("  f9e8d7c6    A rather long name…  Server   Play   15m 42s");
  });
});
