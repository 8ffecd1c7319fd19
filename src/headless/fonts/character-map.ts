/** Which glyph a font has for a character: its table cmap, in the two formats that fonts of today use. */
import type { FontTable } from "./tables.ts";

const UNICODE = 0;
const WINDOWS = 3;
/** Formats by how much they can hold. */
const FORMATS = [12, 4];

/** The number of the glyph; 0 where the font has none. Throws where the font has no Unicode map. */
export function characterMap(table: FontTable): (code: number) => number {
  const maps = Array.from({ length: table.u16(2) }, (_, index) => 4 + index * 8)
    .filter((at) => table.u16(at) === UNICODE || (table.u16(at) === WINDOWS && table.u16(at + 2) !== 0))
    .map((at) => table.from(table.u32(at + 4)));
  const best = FORMATS.map((format) => maps.find((map) => map.u16(0) === format)).find(
    (map) => map !== undefined,
  );
  if (best === undefined) throw new Error("the font has no map of Unicode characters");
  return best.u16(0) === 4 ? segmentMap(best) : groupMap(best);
}

function segmentMap(map: FontTable): (code: number) => number {
  const count = map.u16(6) / 2;
  const [ends, starts, deltas, offsets] = [14, 16 + count * 2, 16 + count * 4, 16 + count * 6];
  return (code) => {
    for (let segment = 0; segment < count; segment += 1) {
      if (code > map.u16(ends + segment * 2)) continue;
      const start = map.u16(starts + segment * 2);
      if (code < start) return 0;
      const delta = map.u16(deltas + segment * 2);
      const at = offsets + segment * 2;
      const offset = map.u16(at);
      if (offset === 0) return (code + delta) & 0xffff;
      const glyph = map.u16(at + offset + (code - start) * 2);
      return glyph === 0 ? 0 : (glyph + delta) & 0xffff;
    }
    return 0;
  };
}

function groupMap(map: FontTable): (code: number) => number {
  const groups = Array.from({ length: map.u32(12) }, (_, index) => 16 + index * 12);
  return (code) => {
    const at = groups.find((group) => code >= map.u32(group) && code <= map.u32(group + 4));
    return at === undefined ? 0 : map.u32(at + 8) + code - map.u32(at);
  };
}
