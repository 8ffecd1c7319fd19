/** Parts that joints hold together, for tests of what moves along when one of them moves. */

export const RIG_NAMES = ["Root", "Arm", "Hand", "Head", "Tail"];

/**
 * A model of five parts, each joined to the one before it, far from where their offsets are round numbers.
 * `kinds`: the class of each joint, from the first part on.
 */
export const joinedRig = (kinds: readonly string[]): string => `
local model = Instance.new("Model") model.Name = "Rig" model.Parent = workspace
local before = nil
for index, name in { ${RIG_NAMES.map((name) => `"${name}"`).join(",")} } do
  local part = Instance.new("Part") part.Name = name
  part.Size = Vector3.one * (6 - index)
  part.CFrame = CFrame.fromOrientation(index * 0.7, index * 1.3, index * 0.2) + Vector3.new(index * 3.3, index, 100 - index)
  part.Parent = model
  if before then
    local joint = Instance.new(({ ${kinds.map((kind) => `"${kind}"`).join(",")} })[index - 1])
    if joint:IsA("JointInstance") then
      joint.C1 = CFrame.new(0, index, 0)
      joint.C0 = before.CFrame:ToObjectSpace(part.CFrame * joint.C1)
    end
    joint.Part0, joint.Part1 = before, part
    joint.Name = "To" .. name
    joint.Parent = part
  end
  before = part
end`;
