/** What an agent waits for when it searches a place of 2,000 scripts with 6 MB of sources: the first time, and again. */
import { Sandbox } from "../harness.ts";
import { McpPeer } from "../peers/mcp-peer.ts";
import { figures } from "./statistics.ts";
import type { Figures } from "./statistics.ts";

const FIRST_ROUNDS = 5;
const ROUNDS = 20;

const PLACE = `for folderIndex = 1, 20 do
  local folder = Instance.new("Folder")
  folder.Name = "Folder" .. folderIndex
  folder.Parent = game.ServerScriptService
  for index = 1, 100 do
    local lines = {}
    for line = 1, 75 do
      lines[line] = \`\\tlocal value{line} = compute({folderIndex}, {index}, "text") -- {line}\`
    end
    if index % 50 == 0 then
      table.insert(lines, "wait(1)")
    end
    local module = Instance.new("ModuleScript")
    module.Name = "Module" .. index
    module.Source = table.concat(lines, "\\n")
    module.Parent = folder
  end
end`;

/** The server is itself the bridge host. */
export async function scriptFiguresAsync(): Promise<Figures[]> {
  await using box = await Sandbox.createAsync();
  await using host = new McpPeer(box);
  await host.initializeAsync();
  await host.toolAsync("studio_sessions");
  await box.headlessAsync();
  await host.toolAsync("studio_exec", { script: PLACE });
  const first: number[] = [];
  for (let round = 0; round < FIRST_ROUNDS; round += 1) {
    await using peer = new McpPeer(box);
    await peer.initializeAsync();
    await peer.toolAsync("studio_sessions");
    first.push(await searchAsync(peer, { pattern: "wait(" }));
  }
  const plain: number[] = [];
  const regex: number[] = [];
  await searchAsync(host, { pattern: "wait(" });
  for (let round = 0; round < ROUNDS; round += 1) {
    plain.push(await searchAsync(host, { pattern: "wait(" }));
    regex.push(await searchAsync(host, { pattern: "wait\\(", regex: true }));
  }
  return [
    figures("studio_grep, 2,000 scripts (6 MB), first", "ms", first),
    figures("studio_grep again", "ms", plain),
    figures("studio_grep again, regular expression", "ms", regex),
  ];
}

async function searchAsync(
  peer: McpPeer,
  args: { readonly pattern: string; readonly regex?: boolean },
): Promise<number> {
  const startedAt = performance.now();
  const { structuredContent } = await peer.toolAsync("studio_grep", { ...args, limit: 1 });
  const elapsedMs = performance.now() - startedAt;
  const { total } = Object(structuredContent);
  if (total !== 40) throw new Error(`found ${total} lines in place of 40`);
  return elapsedMs;
}
