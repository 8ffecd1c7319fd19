/** Interleaving of values that are wider than four bytes: all first bytes, then all second bytes, and so on. */

export function deinterleaveWide(planes: Uint8Array, width: number): DataView[] {
  const count = planes.length / width;
  const rows = new Uint8Array(planes.length);
  for (let row = 0; row < count; row++) {
    for (let plane = 0; plane < width; plane++) rows[row * width + plane] = planes[plane * count + row] ?? 0;
  }
  return Array.from({ length: count }, (_, row) => new DataView(rows.buffer, row * width, width));
}

export function interleaveWide(rows: readonly DataView[], width: number): Uint8Array {
  const planes = new Uint8Array(rows.length * width);
  for (const [row, bytes] of rows.entries()) {
    for (let plane = 0; plane < width; plane++) planes[plane * rows.length + row] = bytes.getUint8(plane);
  }
  return planes;
}
