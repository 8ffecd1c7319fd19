/** Unpredictable bytes as lower-case hex. */
export function randomHex(sizeBytes: number): string {
  return crypto.getRandomValues(new Uint8Array(sizeBytes)).toHex();
}
