/** Sizes of files for people. */
const KILOBYTE = 1024;
const MEGABYTE = KILOBYTE * 1024;

export function sizeText(bytes: number): string {
  return bytes < MEGABYTE ? `${Math.ceil(bytes / KILOBYTE)} KB` : `${(bytes / MEGABYTE).toFixed(1)} MB`;
}
