/** `bun scripts/luau.ts FILE.luau`: runs a file in a headless Studio of the working tree; exit code 1 on any error. */
import { LOG_TYPE } from "../src/headless/bytes/host-ops.ts";
import { HeadlessStudio } from "../src/headless/window/studio.ts";
import { readAssetsAsync } from "./headless-assets.ts";

async function mainAsync(file: string | undefined): Promise<number> {
  if (file === undefined) {
    process.stderr.write("usage: bun scripts/luau.ts FILE.luau\n");
    return 2;
  }
  let failed = false;
  const refuse = (): never => {
    throw new Error("no network in scripts/luau.ts");
  };
  using studio = new HeadlessStudio({
    assets: await readAssetsAsync(),
    host: {
      log: (type, text) => {
        failed ||= type === LOG_TYPE.error;
        process.stdout.write(`${text}\n`);
      },
      openSocket: refuse,
      sendSocket: refuse,
      closeSocket: refuse,
      requestHttp: refuse,
      exit: (code) => process.exit(code),
      noted: () => {},
      testStarted: () => {},
    },
  });
  studio.runSource(`=${file}`, await Bun.file(file).text());
  while (studio.hasTimer) await Bun.sleep(1);
  return failed ? 1 : 0;
}

process.exitCode = await mainAsync(process.argv[2]);
