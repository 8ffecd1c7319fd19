/** The case that started a thread, found by the lines of the thread's stack. */
import { expect, test } from "bun:test";
import { StartedBy } from "../../../../src/testing/run/started-by.ts";

const PATH = "cart.spec.luau";
const SOURCE = `return function()
	local function helper(act)
		act()
	end
	it("adds", function()
		task.delay(1, function()
			helper(error)
		end)
	end)
	for index = 1, 2 do
		it("loop " .. index, function()
			error("x")
		end)
	end
	it("short", function() error("x") end)
	it.each({ 1 })(
		"each",
		function()
			error("x")
		end
	)
	-- Behind all cases.
end`;
const CASES = [
  { id: "adds", line: 5 },
  { id: "loop 1", line: 11 },
  { id: "loop 2", line: 11 },
  { id: "short", line: 15 },
  { id: "each", line: 16 },
  { id: "without a line" },
].map((each) => ({ ...each, names: [each.id] }));

function startersOf(lines: readonly number[], source: string | undefined = SOURCE, path = PATH): string[] {
  const frames = lines.map((line) => ({ path, line }));
  return new StartedBy(PATH, () => source).casesOf(frames, CASES).map(({ id }) => id);
}

test("a line inside of the function of a case identifies the case", () => {
  expect(startersOf([7])).toEqual(["adds"]);
  expect(startersOf([15])).toEqual(["short"]);
});

test("the outermost line that lies in a case decides", () => {
  expect(startersOf([3, 7])).toEqual(["adds"]);
  expect(startersOf([7, 3])).toEqual(["adds"]);
  expect(startersOf([7, 15])).toEqual(["short"]);
});

test("cases that a loop has made are all returned", () => {
  expect(startersOf([12])).toEqual(["loop 1", "loop 2"]);
});

test("the function of a case may begin below the line of its call", () => {
  expect(startersOf([19])).toEqual(["each"]);
});

test("lines outside of all cases, lines of other files, and lines of an unreadable file give no case", () => {
  for (const line of [1, 3, 4, 10, 14, 22, 99]) expect(startersOf([line])).toEqual([]);
  expect(startersOf([7], SOURCE, "other.luau")).toEqual([]);
  const unreadable = new StartedBy(PATH, () => undefined);
  expect(unreadable.casesOf([{ path: PATH, line: 7 }], CASES)).toEqual([]);
  expect(startersOf([])).toEqual([]);
});
