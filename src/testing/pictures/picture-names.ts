/** The names of expected pictures: those that tests give, and those of their files. */
import { nameFault } from "../../roblox/rojo/names.ts";
import type { TestFile } from "../test-file.ts";
import { basename, dirname, join } from "node:path";

/** The folder beside a test that has a folder for each test. */
export const PICTURES = "__pictures__";
/** Behind the name of the expected picture: what was expected, what there is, and the difference. */
const DIFFERENCE = ".diff.png";

const MOST_NAME_BYTES = 160;
const SCRIPT = /\.[^.]+$/;
const FILE = /^(?<name>.+)-(?<viewport>\d+x\d+@\d+(?:\.\d+)?)(?:-client(?<client>\d+))?\.png$/s;

/** Why no picture can have a name, to be put behind the name; undefined where one can. */
export function pictureNameFault(name: string): string | undefined {
  if (/^[. ]/.test(name)) return "begins with a dot or a space";
  if (name !== name.normalize("NFC"))
    return "is written with letters and accents apart, which some systems join";
  if (Buffer.byteLength(name) > MOST_NAME_BYTES) return `is longer than ${MOST_NAME_BYTES} bytes`;
  return nameFault(name);
}

export interface PictureFile {
  readonly name: string;
  /** As `--viewport` takes it. */
  readonly viewport: string;
  /** The number of the client, if it is not the first. */
  readonly client?: number | undefined;
}

export const pictureFileName = ({ name, viewport, client }: PictureFile): string =>
  `${name}-${viewport}${client === undefined ? "" : `-client${client}`}.png`;

/** Undefined for a file that is no expected picture, such as one that shows a difference. */
export function pictureFileIn(fileName: string): PictureFile | undefined {
  if (isDifference(fileName)) return undefined;
  const { name, viewport, client } = FILE.exec(fileName)?.groups ?? {};
  if (name === undefined || viewport === undefined) return undefined;
  return { name, viewport, ...(client === undefined ? {} : { client: Number(client) }) };
}

export const isDifference = (file: string): boolean => file.endsWith(DIFFERENCE);

export const differenceFile = (file: string): string => `${file}${DIFFERENCE}`;

/** The folder with the pictures of a test. `source` is what the test was compiled from, relative to the project's folder. */
export function pictureFolder(
  folder: string,
  { absolutePath }: Pick<TestFile, "absolutePath">,
  source: string | undefined,
): string {
  const spec = source === undefined ? absolutePath : join(folder, source);
  return join(dirname(spec), PICTURES, basename(spec).replace(SCRIPT, ""));
}
