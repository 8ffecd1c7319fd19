/** Luau that writes the whole place as text, so that a test can compare it property by property before and after. */

/** `look(root)`: one line for each Instance in the order of the tree, with all that is saved of it. */
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
  return if typeof(value) == "Instance" then value:GetFullName() else tostring(value)
end
local function look(root)
  local lines = {}
  for _, each in root:GetDescendants() do
    local parts = { each:GetFullName(), each.ClassName }
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
    table.insert(lines, table.concat(parts, "|"))
  end
  return table.concat(lines, "\\n")
end
`;

/** Gives the text of all services that a test may change, in the order of the tree. */
export const LOOK_AT_PLACE = `${LOOK}
local texts = {}
for _, name in { "Workspace", "ServerScriptService", "ReplicatedStorage", "StarterPlayer", "Lighting" } do
  table.insert(texts, look(game:GetService(name)))
end
return table.concat(texts, "\\n")`;

/** The lines of such a text in an order of their own, for states that may differ in the order of children. */
export const withoutOrder = (text: string): string => text.split("\n").sort().join("\n");
