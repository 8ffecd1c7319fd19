/** Adds `sb mcp` to the configurations of MCP clients, and removes it. A failure with one client never stops the others. */
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { isProjectAsync } from "../project/project-folder.ts";
import type { McpSetup, McpSetupResult } from "../command-kit/surfaces/mcp-setup.ts";
import { invalidInput } from "../protocol/messages.ts";
import { selfCommand } from "../util/self-command.ts";
import { systemReason } from "../util/system-error.ts";
import { clients as knownClients, entryFor, projectClient, projectWords } from "./clients.ts";
import type { Client, ClientFacts, ClientMachine } from "./clients.ts";
import { planChangeAsync, writeChangeAsync } from "./config-file.ts";
import type { ConfigChange, EntryOf } from "./config-file.ts";
import { diffLines } from "./diff.ts";
import { homeFolder } from "../util/home-folder.ts";

type ClientResult = McpSetupResult["clients"][number];

/** What the setup needs to know about where it runs. */
interface SetupPlace {
  readonly machine: ClientMachine;
  /** The words that start this program. */
  readonly self: readonly string[];
  readonly folder: string;
  /** The folder, where it is a project. */
  readonly project: string | undefined;
}

async function thisPlaceAsync(): Promise<SetupPlace> {
  const folder = process.cwd();
  return {
    machine: {
      platform: process.platform,
      home: homeFolder(),
      env: process.env,
      names: (folder) => (existsSync(folder) ? readdirSync(folder) : []),
    },
    self: selfCommand(),
    folder,
    project: (await isProjectAsync(folder)) ? folder : undefined,
  };
}

/** Throws INVALID_INPUT where there is nothing to set up. */
export async function setUpMcpAsync(setup: McpSetup, given?: SetupPlace): Promise<McpSetupResult> {
  const place = given ?? (await thisPlaceAsync());
  const { action, print, project, readOnly } = setup;
  if (project && setup.clients.length > 0)
    throw invalidInput(
      "Cannot use --project with a client.",
      "--project writes .mcp.json, which belongs to no client.",
    );
  const args = ["mcp", ...(readOnly ? ["--read-only"] : [])];
  const targets = project
    ? [{ client: projectClient, path: join(place.folder, ".mcp.json"), words: ["sb", ...args] }]
    : chosenClients(setup, place.machine).map((client) => ({
        client,
        path: client.configPath(place.machine),
        words: [...place.self, ...args],
      }));
  const results: ClientResult[] = [];
  for (const { client, path, words } of targets) {
    const entryOf: EntryOf = (present) =>
      entryFor(client, client.startsAnywhere ? [...words, ...projectWords(place.project, present)] : words);
    const result = await setUpClientAsync(client, path, action === "install" ? entryOf : undefined, print);
    const isNews = project || setup.clients.length > 0 || result.outcome !== "unchanged";
    if (action === "install" || isNews) results.push(result);
  }
  return { isPrinted: print, clients: results };
}

function chosenClients({ action, clients }: McpSetup, machine: ClientMachine): Client[] {
  const isNamed = clients.length > 0 && !clients.includes("all");
  if (isNamed) return knownClients.filter(({ id }) => clients.includes(id));
  const found = knownClients.filter(
    (client) => existsSync(client.marker(machine)) || existsSync(client.configPath(machine)),
  );
  if (found.length === 0 && action === "install")
    throw invalidInput(
      "No MCP client was found on this machine.",
      "Name the one you use, for example: sb mcp install claude-code",
    );
  return found;
}

async function setUpClientAsync(
  client: ClientFacts,
  path: string,
  entryOf: EntryOf | undefined,
  print: boolean,
): Promise<ClientResult> {
  const facts = { client: client.id, title: client.title, path };
  try {
    const change = await planChangeAsync(client, path, entryOf);
    const { before = "", after } = change;
    if (before === after) return { ...facts, outcome: "unchanged", diff: [] };
    const backup = print ? undefined : await writeChangeAsync(change);
    return {
      ...facts,
      outcome: outcomeOf(change, entryOf !== undefined),
      diff: diffLines(before, after),
      ...(backup === undefined ? {} : { backup }),
      ...(print ? {} : { afterwards: client.afterwards }),
    };
  } catch (error) {
    return { ...facts, outcome: "failed", diff: [], problem: systemReason(error) };
  }
}

function outcomeOf({ wasThere }: ConfigChange, isInstalled: boolean) {
  if (!isInstalled) return "removed";
  return wasThere ? "updated" : "added";
}
