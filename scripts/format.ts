/** Formats the project: TypeScript with Bun's own formatter, Luau with StyLua. `--check` only reports. */
import { formatLuauAsync } from "./format-luau.ts";

const formattedTypeScript = ["src/**/*.ts", "test/**/*.ts", "scripts/**/*.ts", "build.ts"];

if (import.meta.main) {
  const options = process.argv.slice(2);
  const check = options.includes("--check");
  const typeScript = Bun.spawnSync([process.execPath, "fmt", ...options, ...formattedTypeScript], {
    stdio: ["ignore", "inherit", "inherit"],
  });
  const changed = await formatLuauAsync({ check });
  for (const file of changed) console.error(`${check ? "not formatted" : "formatted"}: ${file}`);
  process.exitCode = check && changed.length > 0 ? 1 : typeScript.exitCode;
}
