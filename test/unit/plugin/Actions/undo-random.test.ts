/** Random patches on random trees: as many undos as there were steps give back every Instance, property by property. */
import { expect, test } from "bun:test";
import type { ActionRequest } from "../../../../src/protocol/actions.ts";
import { LOOK, placeTextWithoutOrder } from "../../../place-text.ts";
import { BridgePeer } from "../bridge-peer.ts";
import { randomOf } from "../random.ts";

type Operations = ActionRequest<"applyPatch">["operations"];
type Operation = Operations[number];

/** Which Instances these are and where they stand, so that undo gives back the same ones. */
const IDENTITY = `function(each) return each:GetDebugId() .. "<" .. each.Parent:GetDebugId() end`;

const luauAsync = async (peer: BridgePeer, script: string): Promise<unknown> =>
  (await peer.luauAsync(script))[0];

function randomOperation(random: (below: number) => number, ids: readonly string[]): Operation {
  const path = ids[random(ids.length)] ?? "@0";
  const parent = random(4) === 0 ? "Workspace.Root" : (ids[random(ids.length)] ?? "Workspace.Root");
  const values = {
    Anchored: random(2) === 0,
    Transparency: random(4) / 4,
    Size: [1 + random(9), 1, 1],
    Color: "#ff8000",
  };
  const kinds: Operation[] = [
    {
      op: "create",
      className: "Part",
      parent,
      name: `P${random(5)}`,
      properties: values,
      attributes: { N: random(9) },
      tags: ["T"],
    },
    { op: "create", className: "Folder", parent },
    { op: "set", path, properties: values },
    { op: "set", path, attributes: { N: random(2) === 0 ? random(9) : { type: "nil" } } },
    { op: "set", path, properties: { Size: { type: "nil" } } },
    { op: "delete", path },
    { op: "move", path, parent },
    { op: "rename", path, name: `R${random(5)}` },
    { op: "clone", path, parent },
    { op: "tag", path, add: [`T${random(3)}`], remove: [`T${random(3)}`] },
  ];
  const operation = kinds[random(kinds.length)];
  if (operation === undefined) throw new Error("no operation");
  return operation;
}

function seedlings(random: (below: number) => number): Operations {
  return Array.from({ length: 8 }, (_, index) => ({
    op: "create",
    className: index % 3 === 0 ? "Folder" : "Part",
    parent: index === 0 || random(2) === 0 ? "Workspace.Root" : `$n${random(index)}`,
    as: `n${index}`,
  }));
}

for (const seed of [1, 2, 3, 4])
  test(`patches of seed ${seed} are taken back one by one`, async () => {
    using peer = await BridgePeer.connectAsync();
    const random = randomOf(seed);
    await luauAsync(peer, `local root = Instance.new("Folder") root.Name = "Root" root.Parent = workspace`);
    const lookAsync = async () =>
      placeTextWithoutOrder(await luauAsync(peer, `${LOOK} return look(workspace.Root, ${IDENTITY})`));
    const ids: string[] = [];
    const states: string[] = [await lookAsync()];
    let failures = 0;
    for (let call = 0; call < 60; call += 1) {
      const few = Array.from({ length: 1 + random(3) }, () => randomOperation(random, ids));
      // The first call makes a tree to work on; later ones add to it now and then.
      const operations = call % 12 === 0 ? seedlings(random) : few;
      const before = states.at(-1);
      const { ok, items, undo } = await peer.askAsync("applyPatch", { operations, name: `step ${call}` });
      const now = await lookAsync();
      if (ok) for (const { id } of items) if (id !== undefined && !ids.includes(id)) ids.push(id);
      if (!ok) failures += 1;
      if (undo.recorded) states.push(now);
      else expect<unknown>(now).toBe(before);
    }
    expect(states.length).toBeGreaterThan(5);
    expect(failures).toBeGreaterThan(0);
    const saved = `${LOOK}
      local service = game:GetService("SerializationService")
      local copy = service:DeserializeInstancesAsync(service:SerializeInstancesAsync({ workspace.Root }))[1]
      return look(copy)`;
    for (let index = states.length - 2; index >= 0; index -= 1) {
      expect((await peer.askAsync("undo", {})).undone).toHaveLength(1);
      expect<unknown>(await lookAsync()).toBe(states[index]);
    }
    // And forth again, to the same Instances; a saved and loaded copy has the same content.
    for (let index = 1; index < states.length; index += 1) {
      await peer.askAsync("undo", { redo: true });
      expect<unknown>(await lookAsync()).toBe(states[index]);
    }
    const savedAsync = async () => placeTextWithoutOrder(await luauAsync(peer, saved));
    const whole = await savedAsync();
    await peer.askAsync("undo", { steps: states.length - 1 });
    expect<unknown>(await lookAsync()).toBe(states[0]);
    expect(await savedAsync()).toBe("");
    await peer.askAsync("undo", { steps: states.length - 1, redo: true });
    expect(await savedAsync()).toBe(whole);
  });
