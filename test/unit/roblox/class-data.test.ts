// The class data file as built from the pinned packages, read back through the host-side look-up.
import { beforeAll, describe, expect, test } from "bun:test";
import { buildClassesAsync } from "../../../scripts/build-classes.ts";
import { openClassData, type ClassData } from "../../../src/roblox/class-data.ts";

let data: ClassData;

beforeAll(async () => {
  data = openClassData(await Bun.file(await buildClassesAsync()).text());
});

function fieldsOf(className: string) {
  const [superclass, flags, properties, defaults, methods, events, callbacks] =
    data.classLine(className)?.split("|") ?? [];
  const list = (text: string | undefined) => (text === undefined || text === "" ? [] : text.split(","));
  return {
    superclass,
    flags,
    properties: list(properties),
    defaults: list(defaults),
    methods: list(methods),
    events: list(events),
    callbacks: list(callbacks),
  };
}

describe("openClassData", () => {
  test("gives a whole class line", () => {
    expect(fieldsOf("BindableFunction")).toEqual({
      superclass: "Instance",
      flags: "c",
      properties: [],
      defaults: [],
      methods: ["Invoke:y:*"],
      events: [],
      callbacks: ["OnInvoke"],
    });
  });

  test("knows no class or enum of another name", () => {
    expect([data.classLine("Prat"), data.enumItems("Materials"), data.classLine("")]).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
  });

  test("orders enum items by number", () => {
    expect(data.enumItems("RunContext")).toBe("Legacy=0,Server=1,Client=2,Plugin=3");
  });

  test("refuses a text that is not class data", () => {
    expect(() => openClassData("hello")).toThrow("Not a class data file.");
  });
});

describe("class data", () => {
  test("every superclass is a class, up to Object", () => {
    for (const name of data.classNames()) {
      let at = name;
      for (let depth = 0; at !== "Object"; depth += 1) {
        expect({ name, depth: depth < 12 }).toEqual({ name, depth: true });
        at = fieldsOf(at).superclass ?? "";
        expect(data.classLine(at)).toBeDefined();
      }
    }
  });

  test("every enum-typed property names an enum of the data", () => {
    const missing = data
      .classNames()
      .flatMap((name) => fieldsOf(name).properties)
      .flatMap((property) => /:Enum\.(\w+):/.exec(property)?.[1] ?? [])
      .filter((enumName) => data.enumItems(enumName) === undefined);
    expect(missing).toEqual([]);
  });

  test("tells plugin security on reading from plugin security on writing", () => {
    const runContext = fieldsOf("BaseScript").properties.find((text) => text.startsWith("RunContext:"));
    const runState = fieldsOf("RunService").properties.find((text) => text.startsWith("RunState:"));
    expect([runContext, runState]).toEqual(["RunContext:Enum.RunContext:ws", "RunState:Enum.RunState:pwc"]);
  });

  test("a subclass carries only the defaults that differ from its superclass", () => {
    expect(fieldsOf("Part").defaults).toEqual(["Shape:1", "TopSurface:3"]);
    expect(fieldsOf("BasePart").defaults).toContain("Size:4 1.2 2");
  });

  test("writes infinity and keeps separators out of texts", () => {
    const defaults = data.classNames().flatMap((name) => fieldsOf(name).defaults);
    expect(defaults).toContain("MotorMaxAcceleration:inf");
    expect(defaults.filter((text) => text.split(":").length !== 2)).toEqual([]);
  });
});
