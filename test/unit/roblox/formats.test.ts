/** The readers and writers of files against rbx-dom, on trees that have every type of value. */
import { describe, expect, test } from "bun:test";
import { createDom, readBinary, readXml } from "rbx-dom";
import { readBinaryModel } from "../../../src/roblox/binary-reader.ts";
import { writeBinaryModel } from "../../../src/roblox/binary-writer.ts";
import { parseXml } from "../../../src/roblox/xml-parser.ts";
import { readXmlModel } from "../../../src/roblox/xml-reader.ts";
import { writeXmlModel } from "../../../src/roblox/xml-writer.ts";
import { describeDom, generatedDom } from "./generated.ts";

const SEEDS = [1, 2, 3, 4, 5];
const SIZE = 120;
const isService = (className: string): boolean => className === "Workspace";

describe("the binary format", () => {
  for (const compression of ["none", "lz4", "zstd"] as const) {
    test(`what rbx-dom writes with ${compression} is what it reads after us`, () => {
      for (const seed of SEEDS) {
        const dom = generatedDom(seed, SIZE);
        const { model, problems } = readBinaryModel(dom.toBinary({ compression }));
        const again = readBinary(writeBinaryModel(model, isService));
        expect(problems).toEqual([]);
        expect(describeDom(again)).toEqual(describeDom(readBinary(dom.toBinary())));
      }
    });
  }

  test("a model reads back as it was written", () => {
    const { model } = readBinaryModel(generatedDom(7, SIZE).toBinary());
    const again = readBinaryModel(writeBinaryModel(model, isService)).model;
    const sorted = model.classes.toSorted((a, b) => (a.className < b.className ? -1 : 1));
    const plain = (classes: typeof sorted) =>
      classes.map(({ className, members, columns }) => ({
        className,
        members,
        columns: [...columns].map(([name, { values, rows }]) => [name, [...values], [...rows]]).sort(),
      }));
    expect(again.parents).toEqual(model.parents);
    expect(plain([...again.classes])).toEqual(plain(sorted));
  });

  test("services are marked, so that no reader makes them twice", () => {
    const { model } = readBinaryModel(
      createDom({ className: "DataModel", children: [{ className: "Workspace" }] }).toBinary(),
    );
    const file = Buffer.from(writeBinaryModel(model, isService)).toString("latin1");
    expect(file).toContain("Workspace\x01\x01\0\0\0");
  });
});

describe("the binary format, by hand", () => {
  const tree = [
    { className: "Folder", name: "StudioBridge", parent: -1 },
    { className: "Script", name: "Main", parent: 0 },
    { className: "ModuleScript", name: "Json", parent: 0 },
    { className: "Folder", name: "actions", parent: 0 },
    { className: "ModuleScript", name: "Exec", parent: 3 },
  ];

  test.each(["example-raw.rbxm", "example-lz4lit.rbxm"])("%s reads as the tree in it", async (name) => {
    const file = await Bun.file(`${import.meta.dir}/../../golden/rbxm/${name}`).bytes();
    const { model, problems } = readBinaryModel(file);
    const found = model.classes.flatMap(({ className, members, columns }) =>
      members.map((id, row) => {
        const names = columns.get("Name");
        const value = names?.values[(names.rows[row] ?? 0) - 1]?.value;
        return { id, className, name: value, parent: model.parents[id] };
      }),
    );
    expect(problems).toEqual([]);
    expect(found.sort((a, b) => a.id - b.id)).toEqual(tree.map((node, id) => ({ id, ...node })));
  });
});

describe("the XML format", () => {
  test("what rbx-dom writes is what it reads after us", () => {
    for (const seed of SEEDS) {
      const dom = generatedDom(seed, SIZE);
      const { model, problems } = readXmlModel(dom.toXml().toString());
      const again = readXml(Buffer.from(writeXmlModel(model)));
      expect(problems).toEqual([]);
      expect(describeDom(again)).toEqual(describeDom(readXml(dom.toXml())));
    }
  });

  test("means the last of several Items with one referent", () => {
    const item = (text: string) => `<Item class="Folder" referent="r">${text}</Item>`;
    const pointer = `<Item class="ObjectValue"><Properties><Ref name="Value">r</Ref></Properties></Item>`;
    const { model } = readXmlModel(`<roblox version="4">${item("")}${item("")}${pointer}</roblox>`);
    const values = model.classes
      .find(({ className }) => className === "ObjectValue")
      ?.columns.get("Value")?.values;
    expect(values).toEqual([{ type: "Ref", value: 1 }]);
  });
});

describe("a property that many Instances have in the same words", () => {
  const columnsOf = (...properties: readonly string[]) => {
    const items = properties.map((text) => `<Item class="Part"><Properties>${text}</Properties></Item>`);
    const { model, problems } = readXmlModel(`<roblox version="4">${items.join("\n")}</roblox>`);
    const columns = model.classes[0]?.columns ?? new Map();
    const shown = [...columns].map(([name, { values, rows }]) => [
      name,
      rows.map((row: number) => values[row - 1]?.value),
    ]);
    return { columns: Object.fromEntries(shown), problems };
  };

  test("is read for each of them", () => {
    const size = (x: number) => `<Vector3 name="size"><X>${x}</X><Y>2</Y><Z>3</Z></Vector3>`;
    const rest = `<bool name="Locked">true</bool> <string name="Name"/><token name="Material">256</token>`;
    const { columns } = columnsOf(...[1, 1, 2, 1].map((x) => size(x) + rest));
    expect(columns).toEqual({
      size: [1, 1, 2, 1].map((x) => [x, 2, 3]),
      Locked: [true, true, true, true],
      Name: ["", "", "", ""],
      Material: [256, 256, 256, 256],
    });
  });

  test("ends where its element ends, whatever its text contains", () => {
    const named = (text: string) => `<string name="Name"><![CDATA[${text}]]></string>`;
    const { columns } = columnsOf(named("a"), named("a</string>b"), named("a</string>b"), named("a"));
    expect(columns).toEqual({ Name: ["a", "a</string>b", "a</string>b", "a"] });
  });

  test("is none where it stands inside another property", () => {
    const flag = `<bool name="Locked">true</bool>`;
    const { columns, problems } = columnsOf(flag, `<odd name="Name">${flag}</odd>`, flag);
    expect(columns).toEqual({ Locked: [true, undefined, true] });
    expect(problems).toEqual(["Part.Name is a <odd>, which is not known."]);
  });
});

test.each(["", "1", "1 2 3", "1 2 3 4"])("a range in XML is two numbers, not %p", (numbers) => {
  const range = `<NumberRange name="Lifetime">${numbers}</NumberRange>`;
  const source = `<roblox version="4"><Item class="ParticleEmitter"><Properties>${range}</Properties></Item></roblox>`;
  expect(() => readXmlModel(source)).toThrow("Lifetime: ");
});

describe("the XML parser", () => {
  const faults: [what: string, source: string, message: string][] = [
    ["nothing", "", "there is no element (line 1)"],
    ["an open element", '<roblox version="4">\n<Item>', "<Item> is never closed (line 2)"],
    ["crossed elements", "<a><b></a></b>", "</a> closes what is not open (line 1)"],
    [
      "a document type",
      '<!DOCTYPE a [<!ENTITY b "c">]><a>&b;</a>',
      "document types are not allowed (line 1)",
    ],
    ["an unknown entity", "<a>&nbsp;</a>", "&nbsp; is not known (line 1)"],
    ["a bare ampersand", "<a>b & c</a>", "& does not begin a character reference (line 1)"],
    ["two roots", "<a/><b/>", "there is more than one root element (line 1)"],
    ["text outside", "<a/>b", "there is text outside of the root element (line 1)"],
    ["an attribute twice", '<a b="1" b="2"/>', "<a> has two attributes b (line 1)"],
    ["an attribute without quotes", "<a b=1/>", "<a> is not a tag (line 1)"],
    ["depth", "<a>".repeat(3000), "elements are nested more than 2100 deep (line 1)"],
  ];
  for (const [what, source, message] of faults) {
    test(`refuses ${what}`, () =>
      expect(() => parseXml(source, { take: () => undefined, begin: () => {}, end: () => false })).toThrow(
        `not well-formed XML: ${message}`,
      ));
  }

  test("reads entities, character numbers, CDATA and comments", () => {
    const source = `<?xml version="1.0"?><roblox version="4"><!-- c --><Item class="StringValue"><Properties>
      <string name="Value">&lt;&#65;&#x42;&amp;<![CDATA[<b>&]]></string></Properties></Item></roblox>`;
    const [owner] = readXmlModel(source).model.classes;
    expect(owner?.columns.get("Value")?.values).toEqual([{ type: "String", value: "<AB&<b>&" }]);
  });
});
