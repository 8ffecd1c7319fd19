/** The line about what a headless Studio has done otherwise than Roblox Studio. */
import { expect, test } from "bun:test";
import { caveatText } from "../../../src/output/caveat-remark.ts";

test("events with one cure stand before it, and few are named", () => {
  const cure = "sb input";
  const neverFires = [
    { event: "GuiButton.Activated", connections: 9, cure },
    { event: "Sound.Ended", connections: 3 },
    { event: "ClickDetector.MouseClick", connections: 2, cure },
    ...["A", "B", "C"].map((event) => ({ event, connections: 1 })),
  ];
  expect(caveatText({ neverFires })).toBe(
    "never fires here: GuiButton.Activated ×9, ClickDetector.MouseClick ×2 — sb input; Sound.Ended ×3, A ×1; 2 more events",
  );
});

test("shapes share the line with events", () => {
  const approximated = [{ class: "MeshPart", count: 3 }];
  expect(caveatText({ approximated })).toBe("shapes taken for simpler ones: MeshPart ×3");
  expect(caveatText({ neverFires: [{ event: "BasePart.Touched", connections: 14 }], approximated })).toBe(
    "never fires here: BasePart.Touched ×14; shapes taken for simpler ones: MeshPart ×3",
  );
});
