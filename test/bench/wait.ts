/** How soon studio_wait answers after what it waits for has happened in Studio, with the way back to the agent. */
import { Sandbox } from "../harness.ts";
import { McpPeer } from "../peers/mcp-peer.ts";
import { figures, type Figures } from "./statistics.ts";

const ROUNDS = 20;

/** Makes the Instance a few frames later, and says when, by the clock of this machine. */
const make = (name: string) => `task.wait(0.1)
Instance.new("Folder", workspace).Name = "${name}"
return DateTime.now().UnixTimestampMillis`;

export async function waitFiguresAsync(): Promise<Figures[]> {
  await using box = await Sandbox.createAsync();
  await box.headlessAsync();
  await using peer = new McpPeer(box);
  await peer.initializeAsync();
  const timesAsync = async (wait: (name: string) => { [key: string]: string }): Promise<number[]> => {
    const times: number[] = [];
    for (let round = 0; round <= ROUNDS; round++) {
      const name = `Made${Object.keys(wait("")).join("")}${round}`;
      const waited = peer.toolAsync("studio_wait", wait(name)).then(() => Date.now());
      const made = peer.toolAsync("studio_exec", { script: make(name) });
      const { structuredContent } = (await made) as { structuredContent?: unknown };
      times.push((await waited) - Number(Object(structuredContent).returnValues[0]));
    }
    // The first call loads what the others find loaded.
    return times.slice(1);
  };
  return [
    figures(
      "studio_wait, from an event to the answer",
      "ms",
      await timesAsync((name) => ({ exists: `Workspace.${name}` })),
    ),
    figures(
      "studio_wait, from a condition to the answer",
      "ms",
      await timesAsync((name) => ({ until: `workspace:FindFirstChild("${name}")` })),
    ),
  ];
}

if (import.meta.main) console.log(await waitFiguresAsync());
