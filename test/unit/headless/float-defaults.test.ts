/** Every property of 32 bits of the class data holds at first what it holds once its printed default is given to it. */
import { expect, test } from "bun:test";
import { loadClassApiAsync } from "../../../src/headless/index.ts";
import { openClassData } from "../../../src/roblox/class-data.ts";
import { defaultValue } from "../../../src/roblox/default-values.ts";
import { FileSchema } from "../../../src/roblox/schema.ts";
import { assets } from "../../headless/run-spec.ts";
import { BridgePeer } from "../plugin/bridge-peer.ts";

/** Classes that can be made, and services, by their own names. */
const PROBE = `
local differing, tried = {}, 0
for row in string.gmatch(LIST, "[^;]+") do
	local class, name, text = string.match(row, "^(%S+) (%S+) (%S+)$")
	local ok, instance = pcall(Instance.new, class)
	if not ok then ok, instance = pcall(game.GetService, game, class) end
	local first, wasSet
	if ok then ok, first = pcall(function() return instance[name] end) end
	if ok then wasSet = pcall(function() instance[name] = if text == "inf" then math.huge else tonumber(text) end) end
	if ok and wasSet then
		tried += 1
		if instance[name] ~= first then
			table.insert(differing, \`{class}.{name} {text}: {string.format("%.17g then %.17g", first, instance[name])}\`)
		end
	end
end
return tried, table.concat(differing, "\\n")`;

test("a new Instance agrees with one whose property was set to its printed default", async () => {
  const api = await loadClassApiAsync();
  const schema = new FileSchema(openClassData(assets.classData()));
  const classes = new Map(api.classNames().map((name) => [name, api.class(name)]));
  const rows = [...classes].flatMap(([className, described]) =>
    [className, ...(described?.bases ?? [])]
      .flatMap((base) => classes.get(base)?.members ?? [])
      .flatMap(({ name }) => {
        const property = schema.property(className, name);
        const isFloat = property?.kind === "property" && property.type === "float" && property.name === name;
        const text = isFloat ? api.member(className, name)?.default : undefined;
        return text === undefined ? [] : [{ className, name, text }];
      }),
  );
  for (const { className, name, text } of rows)
    expect([className, name, defaultValue(schema, className, name)]).toEqual([
      className,
      name,
      { type: "Float32", value: text === "inf" ? Infinity : Math.fround(Number(text)) },
    ]);
  using peer = await BridgePeer.connectAsync();
  const list = rows.map(({ className, name, text }) => `${className} ${name} ${text}`).join(";");
  const [tried, differing] = await peer.luauAsync(`local LIST = "${list}"${PROBE}`);
  expect(differing).toBe("");
  expect(tried).toBeGreaterThan(400);
});
