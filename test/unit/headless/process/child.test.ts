/** What a parent tells the child process of a headless Studio. */
import { expect, test } from "bun:test";
import { readChildOptionsAsync } from "../../../../src/headless/index.ts";

function pipe(): { input: ReadableStream<Uint8Array>; write: (text: string) => void; end: () => void } {
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
  const writer = writable.getWriter();
  return {
    input: readable,
    write: (text) => void writer.write(new TextEncoder().encode(text)),
    end: () => void writer.close(),
  };
}

test("the options are read from pieces of a line, and the end of the input is the parent's end", async () => {
  const { input, write, end } = pipe();
  write('{"port":1234,"laun');
  write('chId":"x","placeName":"ä"}\n');
  const { options, parentGone } = await readChildOptionsAsync(input);
  expect(options).toEqual({ port: 1234, launchId: "x", placeName: "ä" });
  let isGone = false;
  void parentGone.then(() => {
    isGone = true;
  });
  write("more");
  await Bun.sleep(0);
  expect(isGone).toBe(false);
  end();
  await parentGone;
});

test("a place follows the line, in pieces, and may hold line feeds", async () => {
  const { input, write } = pipe();
  write('{"port":1234,"launchId":"x","placeBytes":7}\nab\n');
  write("cd");
  write("efgh");
  const { options } = await readChildOptionsAsync(input);
  expect(options).toEqual({ port: 1234, launchId: "x", place: Buffer.from("ab\ncdef") });
});

test("a parent that ends before it has said anything is an error", async () => {
  const { input, write, end } = pipe();
  write('{"port":1');
  end();
  expect(readChildOptionsAsync(input)).rejects.toThrow("the parent of this headless Studio ended");
});

test("options without a port are an error", async () => {
  const { input, write } = pipe();
  write('{"launchId":"x"}\n');
  expect(readChildOptionsAsync(input)).rejects.toThrow("malformed options");
});
