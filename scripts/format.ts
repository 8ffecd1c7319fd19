/** Formats the TypeScript of the project with Bun's own formatter; `--check` only reports. */
export const formatted = ["src/**/*.ts", "test/**/*.ts", "scripts/**/*.ts", "build.ts"];

if (import.meta.main) {
  const child = Bun.spawnSync([process.execPath, "fmt", ...process.argv.slice(2), ...formatted], {
    stdio: ["ignore", "inherit", "inherit"],
  });
  process.exitCode = child.exitCode;
}
