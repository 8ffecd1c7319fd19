/** Luau packages of npm that tests mount, as members of a Rojo project. */
import { dirname, join } from "node:path";

/** What a package has at `path`; `from` is the folder of the package that depends on it. */
export function packagePart(name: string, path: string, from = import.meta.dir): { $path: string } {
  return { $path: join(dirname(Bun.resolveSync(`${name}/package.json`, from)), path) };
}

const vendorPart = (name: string, file: string): { $path: string } =>
  packagePart(`${name}-vendor`, file, packagePart(name, ".").$path);

/** Jest, and React, which it needs. The names are those by which the two look for each other. */
export const JEST = {
  JestLua: vendorPart("@rbxts/jest", "jest-lua.rbxm"),
  ReactLua: vendorPart("@rbxts/react", "react-lua.rbxmx"),
};

export const TESTEZ = { TestEZ: packagePart("@rbxts/testez", "src") };
