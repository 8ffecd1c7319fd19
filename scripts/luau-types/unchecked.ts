/**
 * The Luau that is not `--!strict`, and so not type-checked, each file or folder with the reason. A file of the plugin or
 * of the engine leaves this list in the commit in which it begins with `--!strict`.
 */
export const uncheckedFiles: Readonly<Record<string, string>> = {
  "examples/": "scripts as people type them, without the line that asks for a check",
  "src/init/templates/": "files for other projects, with the globals of their tests",
  "src/selftest/": "parts that are put together to one script, with words that only the whole defines",
  "test/fixtures/": "scripts of games, which find each other in a place that the analyzer does not see",
  "test/headless/": "specs that pass values of wrong types on purpose, with the globals of their harness",
  "test/libraries/":
    "tests of published libraries, which they find in a place that the analyzer does not see",
  "test/plugin/": "specs that reach the plugin's modules through a global of their harness",
  "test/sync-fuzz/": "a program that Studio runs as text, with an edit that only its caller knows",
};
