/** Two agents at one script: each is told what the other changed, and nothing is lost. Calls and bytes are counted. */
import { expect, setDefaultTimeout, test } from "bun:test";
import { Sandbox } from "../harness.ts";
import { McpPeer } from "../peers/mcp-peer.ts";

setDefaultTimeout(120_000);

test("the second of two agents is told of a change under it, reads again, and loses nothing", async () => {
  await using box = await Sandbox.createAsync();
  await box.headlessAsync();
  await using first = new McpPeer(box);
  await using second = new McpPeer(box);
  await first.initializeAsync();
  await second.initializeAsync();
  const count = { calls: 0, bytes: 0 };
  const askAsync = async (peer: McpPeer, name: string, args: object) => {
    const result = await peer.toolAsync(name, { ...args });
    count.calls += 1;
    count.bytes += Buffer.byteLength(JSON.stringify(result));
    return JSON.parse(Object(result["content"])[0].text);
  };
  const path = "ServerScriptService.Shared";
  const source = "local a = 1\nlocal b = 2\nreturn a + b\n";
  const create = { op: "create", className: "ModuleScript", parent: "ServerScriptService", name: "Shared" };
  const made = await askAsync(first, "studio_edit", {
    operations: [{ ...create, properties: { Source: source } }],
  });
  expect(made.ok).toBe(true);
  const seen = await askAsync(first, "studio_read_script", { path });
  const seenToo = await askAsync(second, "studio_read_script", { path });
  expect(seenToo.hash).toBe(seen.hash);
  const mine = { path, old: "local a = 1", new: "local a = 10", hash: seen.hash };
  expect(await askAsync(first, "studio_edit_script", { edits: [mine] })).toMatchObject({ ok: true });
  const theirs = { path, old: "local b = 2", new: "local b = 20", hash: seenToo.hash };
  const refused = await askAsync(second, "studio_edit_script", { edits: [theirs] });
  expect(refused).toMatchObject({ ok: false, items: [{ index: 0, ok: false, code: "PRECONDITION_FAILED" }] });
  const again = await askAsync(second, "studio_read_script", { path });
  expect(again.source).toBe(source.replace("= 1", "= 10"));
  const accepted = await askAsync(second, "studio_edit_script", { edits: [{ ...theirs, hash: again.hash }] });
  expect(accepted).toMatchObject({ ok: true });
  expect((await askAsync(first, "studio_read_script", { path })).source).toBe(
    "local a = 10\nlocal b = 20\nreturn a + b\n",
  );
  expect(count.calls).toBe(8);
  expect(count.bytes).toBeLessThan(8 * 1024);
});
