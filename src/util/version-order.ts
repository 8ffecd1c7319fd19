/** Which of two versions is the later one. */

/** By their numbers from left to right (`1.10.0` is newer than `1.9.3`); what follows a hyphen is left out. */
export function isNewer(version: string, other: string): boolean {
  const [parts, others] = [numbersOf(version), numbersOf(other)];
  for (let index = 0; index < Math.max(parts.length, others.length); index += 1) {
    const difference = (parts[index] ?? 0) - (others[index] ?? 0);
    if (difference !== 0) return difference > 0;
  }
  return false;
}

function numbersOf(version: string): number[] {
  const [core = ""] = version.split("-", 1);
  return core.split(".").map((part) => Number.parseInt(part, 10) || 0);
}
