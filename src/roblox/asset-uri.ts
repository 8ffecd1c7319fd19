/** The URI of an asset that an old property names by its number. Zero names none. */
import { utf8ByteString, type ByteString } from "../util/bytes.ts";

export const assetUri = (number: number | bigint): ByteString =>
  Number(number) === 0 ? "" : utf8ByteString(`rbxassetid://${number}`);
