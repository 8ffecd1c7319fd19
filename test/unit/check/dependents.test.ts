import { expect, test } from "bun:test";
import { withDependents } from "../../../src/check/dependents.ts";

test("a change concerns the scripts that require it, also by way of others, and no more by their names", () => {
  const sources = new Map([
    ["ReplicatedStorage.Cart[2]", "return {}"],
    ["ServerStorage.Shop", "local Cart = require(game.ReplicatedStorage.Cart) return Cart"],
    ["ServerScriptService.Main", "require(game.ServerStorage.Shop)"],
    ["ServerScriptService.Other", "print('Cart and Shop')"],
    ["ServerScriptService.Third", "require(script.Parent.Other)"],
  ]);
  expect([...withDependents(["ReplicatedStorage.Cart[2]"], sources)].sort()).toEqual([
    "ReplicatedStorage.Cart[2]",
    "ServerScriptService.Main",
    "ServerStorage.Shop",
  ]);
  expect([...withDependents(["ServerScriptService.Other"], sources)]).toContain("ServerScriptService.Third");
});
