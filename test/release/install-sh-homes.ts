/** What the tests of install.sh share: the release for this machine, and a home for each test. */
import { afterAll, afterEach, beforeAll, beforeEach } from "bun:test";
import { hostTargetAsync } from "../../scripts/release/targets.ts";
import { Home, releaseAsync, serve } from "./installer.ts";

const host = await hostTargetAsync();
export const system = host?.name ?? "";
export const canInstall = host !== undefined && host.os !== "windows";
export const archive = `studio-bridge-1.2.3-${system}.tar.gz`;

export const missing = (program: string): string =>
  Bun.which(program) === null ? ` (skipped: no ${program})` : "";

interface Homes {
  /** A new one for each test. */
  readonly home: Home;
  /** Offers release 1.2.3. */
  readonly server: ReturnType<typeof serve>;
}

/** They are ready in the hooks that the file declares after this call. */
export function homes(): Homes {
  let server: Homes["server"] | undefined;
  let home: Home | undefined;
  beforeAll(async () => {
    server = serve(await releaseAsync("1.2.3"));
  });
  afterAll(() => server?.[Symbol.dispose]());
  beforeEach(async () => {
    home = await Home.createAsync(present(server).url);
  });
  afterEach(() => home?.[Symbol.asyncDispose]());
  return {
    get home() {
      return present(home);
    },
    get server() {
      return present(server);
    },
  };
}

function present<T>(value: T | undefined): T {
  if (value === undefined) throw new Error("only tests and later hooks have it");
  return value;
}
