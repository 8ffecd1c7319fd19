/** The picture of the README shows what sb does. */
import { expect, test } from "bun:test";
import { pictureAsync, storedPictureAsync } from "../../scripts/picture.ts";

test("docs/terminal.svg is what a terminal shows (npm run picture)", async () => {
  expect(await storedPictureAsync()).toBe(await pictureAsync());
});
