/** RunService:BindToSimulation in a test: fixed steps in the order of their priority, until they are disconnected. */
import { expect, test } from "bun:test";
import { END, playAsync } from "./play-window.ts";

test("bound functions run at their frequency, by priority, until they are disconnected", async () => {
  const lines = await playAsync(
    "",
    `local RunService = game:GetService("RunService")
    local order, slow = {}, 0
    local last = RunService:BindToSimulation(function() table.insert(order, "last") end, Enum.StepFrequency.Hz60, 3000)
    local first = RunService:BindToSimulation(function() table.insert(order, "first") end, Enum.StepFrequency.Hz60, 10)
    local half = RunService:BindToSimulation(function(deltaTime)
      slow += 1
      if slow == 3 then print(typeof(last), order[1], order[2], #order >= 10, math.round(1 / deltaTime)) last:Disconnect() first:Disconnect() order = {} end
      if slow == 5 then print(#order) ${END} end
    end)`,
  );
  expect(lines).toEqual(["[server] RBXScriptConnection first last true 30", "[server] 0"]);
});
