/** The link between a client and the host of its own process. */
import { expect, test } from "bun:test";
import { LocalLink } from "../../../../src/bridge/client/local-link.ts";

const recorder = () => {
  const heard: string[] = [];
  return { heard, frame: (text: string) => void heard.push(text), closed: () => void heard.push("closed") };
};

test("delivers frames that were sent before a listener was attached, then the end, once", async () => {
  const [host, client] = [recorder(), recorder()];
  const link = new LocalLink(host);
  link.deliver("first");
  link.attach(client);
  link.deliver("second");
  expect(client.heard).toEqual([]);
  await Promise.resolve();
  expect(client.heard).toEqual(["first", "second"]);
  link.deliver("last");
  link.hangUp();
  link.send("too late");
  await Promise.resolve();
  link[Symbol.dispose]();
  await Promise.resolve();
  expect(client.heard).toEqual(["first", "second", "last", "closed"]);
  expect(host.heard).toEqual([]);
});

test("tells the host that its client has left, once, and the client nothing more", async () => {
  const [host, client] = [recorder(), recorder()];
  const link = new LocalLink(host);
  link.attach(client);
  link.send("hello");
  link.deliver("never read");
  link[Symbol.dispose]();
  link[Symbol.dispose]();
  link.send("too late");
  await Promise.resolve();
  expect([host.heard, client.heard]).toEqual([["hello", "closed"], []]);
});
