/**
 * Draws docs/terminal.svg, the picture of the README: runs the compiled sb on a pseudo-terminal, types what a person would
 * type, and draws what the screen shows then. `--check` writes nothing and fails when the file is out of step.
 */
import { copyFile, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Terminal } from "@xterm/headless";
import { binaryPath } from "../build.ts";
import { screenAsSvg } from "./picture/screen-as-svg.ts";

const root = join(import.meta.dir, "..");
const output = join(root, "docs", "terminal.svg");

const COLUMNS = 80;
const ROWS = 60;
/** Far more than any step needs; only a hang takes so long. */
const PATIENCE_MS = 30_000;
const PROMPT = "\x1b[32m$\x1b[39m ";

const brokenScript = `local door = Instance.new("Part", workspace)
door.Name = "Door"

local function positionOf(name)
	return workspace[name].Position
end

print(positionOf("Dor"))
`;

interface Scene {
  /** Behind `sb`. */
  readonly words: readonly string[];
  /** Each is typed once the prompt of sb is there. */
  readonly typed?: readonly string[];
}

const scenes: readonly Scene[] = [
  { words: ["run", "--headless", "hello.luau"] },
  { words: ["run", "--headless", "door.luau"] },
  {
    words: ["terminal", "--headless"],
    typed: [
      "part = Instance.new('Part', workspace)",
      "part.Position += Vector3.yAxis * 5",
      "{ part, part.Position, part.Material }",
      ".exit",
    ],
  },
];

/** What the screen shows after all scenes. */
export async function pictureAsync(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "sb-picture-"));
  const screen = new Terminal({ cols: COLUMNS, rows: ROWS, allowProposedApi: true });
  try {
    await copyFile(join(root, "examples", "hello.luau"), join(folder, "hello.luau"));
    await Bun.write(join(folder, "door.luau"), brokenScript);
    for (const [index, scene] of scenes.entries()) {
      await writeAsync(screen, `${index === 0 ? "" : "\r\n"}${PROMPT}sb ${scene.words.join(" ")}\r\n`);
      await playAsync(screen, scene, folder);
    }
    return screenAsSvg(screen);
  } finally {
    screen.dispose();
    await rm(folder, { recursive: true, force: true });
  }
}

const writeAsync = (screen: Terminal, text: string | Uint8Array) =>
  new Promise<void>((resolve) => screen.write(text, resolve));

async function playAsync(screen: Terminal, { words, typed = [] }: Scene, folder: string): Promise<void> {
  const closed = Promise.withResolvers<void>();
  const program = Bun.spawn([binaryPath, ...words], {
    cwd: folder,
    env: { PATH: process.env["PATH"] ?? "", HOME: folder, TERM: "xterm-256color" },
    terminal: {
      cols: COLUMNS,
      rows: ROWS,
      data: (_, bytes) => void screen.write(bytes),
      exit: () => closed.resolve(),
    },
  });
  try {
    for (const line of typed) {
      await promptAsync(screen);
      program.terminal?.write(`${line}\r`);
    }
    // The last bytes may come after the end of the program.
    await Promise.all([program.exited, closed.promise]);
    await writeAsync(screen, "");
  } finally {
    program.kill();
    program.terminal?.close();
  }
}

async function promptAsync(screen: Terminal): Promise<void> {
  const giveUpAt = Date.now() + PATIENCE_MS;
  for (;;) {
    const { active } = screen.buffer;
    const line = active.getLine(active.baseY + active.cursorY)?.translateToString(true);
    if (line?.trimEnd() === ">" && active.cursorX === 2) return;
    if (Date.now() > giveUpAt) throw new Error(`sb terminal shows no prompt, but ${JSON.stringify(line)}`);
    await Bun.sleep(20);
  }
}

export const storedPictureAsync = (): Promise<string> => Bun.file(output).text();

if (import.meta.main) {
  const picture = await pictureAsync();
  if (!process.argv.includes("--check")) await Bun.write(output, picture);
  else if ((await storedPictureAsync().catch(() => "")) !== picture) {
    console.error("out of date: docs/terminal.svg (run: npm run picture)");
    process.exitCode = 1;
  }
}
