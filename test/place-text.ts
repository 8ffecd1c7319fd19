/** Luau that writes the whole place as text, so that a test can compare it property by property before and after. */

/**
 * `look(root, head)`: one line for each Instance in the order of the tree, with all that is saved of it. `head` gives
 * what else the line of an Instance begins with. The camera, which moves by itself, has no line.
 */
export const LOOK = `
local reflection = game:GetService("ReflectionService")
local namesOf = {}
local function propertiesOf(className)
  if namesOf[className] == nil then
    local names = {}
    for _, property in reflection:GetPropertiesOfClass(className) do
      if property.Serialized and property.Permits.Read then table.insert(names, property.Name) end
    end
    table.sort(names)
    namesOf[className] = names
  end
  return namesOf[className]
end
local function shown(value)
  return if typeof(value) == "Instance" then value:GetFullName() else typeof(value) .. " " .. tostring(value)
end
local function lineOf(each, head)
  local parts = { head and head(each) or "", each:GetFullName(), each.ClassName }
  for _, name in propertiesOf(each.ClassName) do
    local ok, value = pcall(function() return each[name] end)
    if ok then table.insert(parts, name .. "=" .. shown(value)) end
  end
  local attributes = {}
  for name, value in each:GetAttributes() do table.insert(attributes, name .. "=" .. shown(value)) end
  table.sort(attributes)
  local tags = each:GetTags()
  table.sort(tags)
  table.insert(parts, table.concat(attributes, ",") .. "#" .. table.concat(tags, ","))
  return table.concat(parts, "|")
end
local function look(root, head)
  local lines = {}
  for _, each in root:GetDescendants() do
    if each ~= workspace.CurrentCamera then table.insert(lines, lineOf(each, head)) end
  end
  return lines
end
`;

/** Gives the lines of all services that a test may change, in the order of the tree. */
export const LOOK_AT_PLACE = `${LOOK}
local lines = {}
for _, name in { "Workspace", "ServerScriptService", "ReplicatedStorage", "StarterPlayer", "Lighting" } do
  local own = look(game:GetService(name))
  table.move(own, 1, #own, #lines + 1, lines)
end
return lines`;

/** The lines that `look` returned, as text. */
export function placeText(lines: unknown): string {
  if (!Array.isArray(lines)) throw new Error(`no lines: ${JSON.stringify(lines)}`);
  return lines.join("\n");
}

/** The same in an order of its own, for states that may differ in the order of children. */
export const placeTextWithoutOrder = (lines: unknown): string =>
  placeText(lines).split("\n").sort().join("\n");
