/**
 * citty takes `parseArgs` from node:util, which takes longer to load than all of our code that a command needs. All that
 * citty ever parses is the name of a command (src/cli/tree.ts), so that the build gives it a stand-in that knows no flags.
 */
import type { BunPlugin } from "bun";

const THEIRS = 'import { parseArgs as parseArgs$1 } from "node:util";';
const OURS = "const parseArgs$1 = ({ args }) => ({ values: {}, positionals: args });";

export const lightCitty: BunPlugin = {
  name: "light citty",
  setup(build) {
    build.onLoad({ filter: /[\\/]citty[\\/]dist[\\/]index\.mjs$/ }, async ({ path }) => {
      const text = await Bun.file(path).text();
      if (!text.includes(THEIRS)) throw new Error(`${path} is not the citty that is known`);
      return { contents: text.replace(THEIRS, () => OURS), loader: "js" };
    });
  },
};
