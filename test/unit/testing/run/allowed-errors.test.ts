/** The uncaught errors that a test file allows by comments. */
import { expect, test } from "bun:test";
import { AllowedErrors } from "../../../../src/testing/run/allowed-errors.ts";

const PATH = "cart.spec.luau";
const SOURCE = `--!strict
return function()
	it("allows", function()
		--@sb allow-error too late
		task.delay(1, function()
			error("too late")
		end)
	end)
	it("does not", function()
		error("too late")
	end)
end`;
const ALLOWS = { first: 3, last: 8 };
const OTHER = { first: 9, last: 11 };

const allowed = (source: string | undefined, message: string, line?: number) =>
  new AllowedErrors(PATH, [], () => source).has(
    { message, frames: line === undefined ? [] : [{ path: PATH, line }] },
    line === undefined ? [ALLOWS] : [],
  );

test("a comment counts for the errors of the function around it, by the stack or by the case that is to blame", () => {
  expect(allowed(SOURCE, "it is too late now", 6)).toBe(true);
  expect(allowed(SOURCE, "too late")).toBe(true);
  expect(allowed(SOURCE, "another", 6)).toBe(false);
  expect(allowed(SOURCE, "too late", 10)).toBe(false);
  const errors = new AllowedErrors(PATH, [], () => SOURCE);
  expect(errors.has({ message: "too late", frames: [] }, [OTHER])).toBe(false);
  expect(errors.has({ message: "too late", frames: [{ path: "other.luau", line: 6 }] }, [])).toBe(false);
});

test("a comment outside of all functions counts for the whole file, and one without a text for nothing", () => {
  expect(allowed(`-- @sb allow-error late\r\n${SOURCE.replace("allow-error", "")}`, "too late", 11)).toBe(
    true,
  );
  expect(allowed(SOURCE.replace("too late", ""), "too late", 6)).toBe(false);
  expect(allowed(undefined, "too late", 6)).toBe(false);
});
