/** The 24 rotations by right angles that both the binary format and attributes write as one byte (docs/binary.md of rbx-dom). */

const AXES = [
  [1, 0, 0],
  [0, 1, 0],
  [0, 0, 1],
  [-1, 0, 0],
  [0, -1, 0],
  [0, 0, -1],
] as const;

/** Rotation matrix row by row, by its byte: six times the right vector's axis, plus the up vector's, plus one. */
const MATRICES = new Map<number, readonly number[]>();
const IDS = new Map<string, number>();

for (const [right, [x0, x1, x2]] of AXES.entries()) {
  for (const [up, [y0, y1, y2]] of AXES.entries()) {
    if (x0 * y0 + x1 * y1 + x2 * y2 !== 0) continue;
    const z = [x1 * y2 - x2 * y1, x2 * y0 - x0 * y2, x0 * y1 - x1 * y0] as const;
    // Adding zero turns -0 into 0.
    const matrix = [x0, y0, z[0], x1, y1, z[1], x2, y2, z[2]].map((part) => part + 0);
    MATRICES.set(right * 6 + up + 1, matrix);
    IDS.set(matrix.join(), right * 6 + up + 1);
  }
}

/** Throws for a byte that stands for no rotation. */
export function rotationOf(id: number): readonly number[] {
  const matrix = MATRICES.get(id);
  if (matrix === undefined) throw new Error(`there is no rotation ${id}`);
  return matrix;
}

/** The byte of a rotation by right angles, given row by row; 0 for every other. */
export function rotationId(matrix: readonly number[]): number {
  if (matrix.some((part) => Object.is(part, -0))) return 0;
  return IDS.get(matrix.join()) ?? 0;
}
