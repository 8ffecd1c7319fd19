/** The address of Open Cloud: fixed, unless it is replaced by one of this machine. */
import { expect, test } from "bun:test";
import { isTrustedUri, serviceAddress } from "../../../src/cloud/service-address.ts";

const SERVICE = "https://apis.roblox.com";

test("only an address of this machine replaces the service", () => {
  expect(serviceAddress({})).toBe(SERVICE);
  expect(serviceAddress({ SB_OPEN_CLOUD_URL: "http://127.0.0.1:81/" })).toBe("http://127.0.0.1:81");
  for (const text of [
    "https://example.com",
    "http://10.0.0.1",
    "http://127.0.0.1.example.com",
    "http://127.0.0.1@example.com",
    "file:///etc",
    "x",
  ])
    expect(() => serviceAddress({ SB_OPEN_CLOUD_URL: text })).toThrow("not an address of this machine");
});

test("bytes go only to https addresses, or to this machine if the service is there", () => {
  expect(isTrustedUri("https://bucket.example.com/x?sign=1", SERVICE)).toBe(true);
  for (const uri of ["http://bucket.example.com/x", "http://127.0.0.1:81/x", "file:///etc/passwd", ""])
    expect(isTrustedUri(uri, SERVICE)).toBe(false);
  expect(isTrustedUri("http://127.0.0.1:81/x", "http://127.0.0.1:81")).toBe(true);
});
