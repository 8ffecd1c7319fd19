/** The engine's behaviour, tested in Luau: every `test/headless/*.spec.luau`. */
import { describe, test } from "bun:test";
import { runSpecAsync, SPEC_FOLDER } from "./run-spec.ts";

for (const file of [...new Bun.Glob("**/*.spec.luau").scanSync(SPEC_FOLDER)].sort()) {
  const results = await runSpecAsync(file);
  describe(file, () => {
    for (const { name, failure } of results) {
      test(name, () => {
        if (failure !== "") throw new Error(failure);
      });
    }
  });
}
