/** The golden frames, read back by TypeScript. The plugin's own suite reads the same files in Luau. */
import { describe, expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { decodeEnvelope, decodePayload, encode, messageSchemas } from "../../../src/protocol/codec.ts";
import { isSerializedValue, VALUE_TYPES } from "../../../src/protocol/values.ts";

const folder = join(import.meta.dir, "..", "..", "golden", "wire");
const read = (name: string) => readFileSync(join(folder, name), "utf8").trimEnd();
const frames = readdirSync(folder).filter((name) => name !== "values.json");

describe("golden frames", () => {
  test.each(frames)("%s decodes and encodes to the same text", (name) => {
    const envelope = decodeEnvelope(read(name));
    if (!envelope.ok) throw new Error(envelope.fault.message);
    const schema = messageSchemas().get(envelope.value.type);
    if (schema === undefined) throw new Error(`unknown type ${envelope.value.type}`);
    const payload = decodePayload(schema, envelope.value);
    if (!payload.ok) throw new Error(payload.fault.message);
    expect(JSON.parse(encode({ ...envelope.value, payload: payload.value }))).toEqual(JSON.parse(read(name)));
  });

  test("every value type has an example that its schema accepts", () => {
    const examples: { [type: string]: unknown } = JSON.parse(read("values.json"));
    expect(Object.keys(examples).sort()).toEqual([...VALUE_TYPES].sort());
    expect(Object.entries(examples).filter(([, value]) => !isSerializedValue(value))).toEqual([]);
  });
});

describe("frames from elsewhere", () => {
  const faultOf = (text: string) => {
    const decoded = decodeEnvelope(text);
    return decoded.ok ? undefined : decoded.fault;
  };

  test("Luau's empty array stands for an empty payload", () => {
    expect(decodeEnvelope('{"type":"ping","sessionId":"","payload":[]}')).toEqual({
      ok: true,
      value: { type: "ping", sessionId: "", payload: {} },
    });
  });

  test("a frame without sessionId and payload is whole", () => {
    expect(decodeEnvelope('{"type":"ping"}')).toEqual({
      ok: true,
      value: { type: "ping", sessionId: "", payload: {} },
    });
  });

  test("unknown fields are dropped, not refused", () => {
    const envelope = decodeEnvelope('{"type":"await","payload":{"fromSeq":3,"new":1},"later":true}');
    const schema = messageSchemas().get("await");
    if (!envelope.ok || schema === undefined) throw new Error("unreachable");
    expect(decodePayload(schema, envelope.value)).toEqual({ ok: true, value: { fromSeq: 3 } });
  });

  test.each([
    ["", "not JSON"],
    ["{", "not JSON"],
    ["[]", "expected object"],
    ["null", "expected object"],
    ['{"type":1}', "type: "],
    ['{"type":""}', "type: "],
    ['{"type":"ping","requestId":""}', "requestId: "],
    ['{"type":"ping","sessionId":null}', "sessionId: "],
  ])("%p is refused with the place of the fault", (text, place) => {
    expect(faultOf(text)?.code).toBe("INVALID_PAYLOAD");
    expect(faultOf(text)?.message).toContain(place);
  });

  test("a bomb of nested arrays is refused, not followed", () => {
    const bomb = `{"type":"x","payload":${"[".repeat(5_000)}${"]".repeat(5_000)}}`;
    expect(faultOf(bomb)?.message).toContain("nested deeper");
  });

  test("__proto__ in a payload does not reach the prototype", () => {
    decodeEnvelope('{"type":"x","payload":{"__proto__":{"polluted":true}}}');
    expect(Object.hasOwn(Object.prototype, "polluted")).toBe(false);
  });

  test("a fault in a payload keeps the request id, so that the sender gets an answer", () => {
    const envelope = decodeEnvelope('{"type":"await","requestId":"r1","payload":{"fromSeq":-1}}');
    const schema = messageSchemas().get("await");
    if (!envelope.ok || schema === undefined) throw new Error("unreachable");
    const decoded = decodePayload(schema, envelope.value);
    expect(decoded.ok ? undefined : decoded.fault.requestId).toBe("r1");
    expect(decoded.ok ? undefined : decoded.fault.message).toContain("payload.fromSeq");
  });
});

describe("serialized values", () => {
  test.each([
    [{ type: "Vector3", value: [1, 2] }],
    [{ type: "BrickColor", value: 21 }],
    [[{ type: "nil" }, { type: "ref", id: -1 }]],
  ])("%j lacks what its tag demands", (value) => {
    expect(isSerializedValue(value)).toBe(false);
  });

  test("a tag from a newer plugin passes", () => {
    expect(isSerializedValue({ type: "Quaternion", value: [0, 0, 0, 1] })).toBe(true);
  });

  test("tags inside plain maps are checked too", () => {
    expect(isSerializedValue({ spawn: { type: "Vector3", value: [1] } })).toBe(false);
  });
});
