/** The constants that headless Studio's engine shares with its host, from the host's tables. */
import { VALUE_KINDS } from "../../src/headless/bytes/engine-bytes.ts";
import {
  HOST_EVENTS,
  HOST_OPS,
  LOG_TYPE,
  REPLY_FAILED,
  REPLY_TOO_LARGE,
} from "../../src/headless/bytes/host-ops.ts";
import { NEVER_FIRES } from "../../src/headless/never-fires.ts";
import { CONTROL, MAILBOX } from "../../src/headless/vm/layout.ts";
import { PICTURE_OPS } from "../../src/pictures/scene/ops.ts";
import { words } from "../../src/protocol/words.ts";
import {
  datatype,
  DATATYPES,
  FLAT_DATATYPES,
  isTupleType,
  TUPLE_TYPES,
  zeroOfTuple,
} from "../../src/values/datatypes.ts";
import { AXES, FACES } from "../../src/roblox/model.ts";
import { luauConstants } from "./luau-literal.ts";

const positions = (names: readonly string[]) =>
  Object.fromEntries(names.map((name, position) => [name, position]));

export function engineConstants(): string {
  return luauConstants("src/headless, src/pictures, src/roblox, src/values and src/protocol", {
    OPS: positions(HOST_OPS),
    EVENTS: positions(HOST_EVENTS),
    REPLY_TOO_LARGE,
    REPLY_FAILED,
    MAILBOX,
    CONTROL,
    LOG_TYPE,
    PICTURE_OPS: positions(PICTURE_OPS),
    NEVER_FIRES: Object.fromEntries([...NEVER_FIRES.keys()].map((event) => [event, true])),
    VALUE_KINDS: positions(VALUE_KINDS),
    NUMBER_TYPES: Object.fromEntries(
      FLAT_DATATYPES.map((name) => [
        name,
        isTupleType(name) ? zeroOfTuple(name) : DATATYPES[name].fields.map(() => 0),
      ]),
    ),
    ATTRIBUTE_TYPES: TUPLE_TYPES.filter((name) => datatype(name)?.attribute !== undefined),
    FACES,
    AXES,
    WORDS: words,
  });
}
