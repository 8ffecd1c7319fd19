/** What a studio_edit of 1,000 creations costs, in an empty place and in one of 60,000 Instances. */
import { Sandbox } from "../harness.ts";
import { McpPeer } from "../peers/mcp-peer.ts";
import { figures, timeAsync, type Figures } from "./statistics.ts";

const ROUNDS = 5;
const CREATIONS = 1_000;
const FILL = `local folder
for index = 1, 60000 do
  if index % 100 == 1 then folder = Instance.new("Folder", workspace) folder.Name = "Folder" .. index end
  Instance.new("Part", folder).Name = "Part" .. index
end`;

const operations = Array.from({ length: CREATIONS }, (_, index) => ({
  op: "create",
  className: "Part",
  parent: "Workspace",
  name: `New${index}`,
  properties: {
    Size: [4, 1, 4],
    Position: [index, 0, 0],
    Color: "#ff8800",
    Material: "Neon",
    Anchored: true,
  },
}));

/** In a sandbox of its own, so that the place is this measurement's alone. */
export async function editFiguresAsync(): Promise<Figures[]> {
  await using box = await Sandbox.createAsync();
  await box.headlessAsync();
  await using peer = new McpPeer(box);
  await peer.initializeAsync();
  const timesAsync = async (): Promise<number[]> => {
    const times: number[] = [];
    for (let round = 0; round <= ROUNDS; round++) {
      times.push(await timeAsync(() => peer.toolAsync("studio_edit", { operations })));
      await peer.toolAsync("studio_undo", {});
    }
    // The first call loads what the others find loaded.
    return times.slice(1);
  };
  const empty = await timesAsync();
  await peer.toolAsync("studio_exec", { script: FILL });
  const large = await timesAsync();
  return [
    figures("studio_edit of 1,000 creations", "ms", empty),
    figures("the same in a place of 60,000 Instances", "ms", large),
  ];
}

if (import.meta.main) console.log(await editFiguresAsync());
