/** Reads the file that `--fixtures` names, with the models and the variables that it names. */
import { realpath } from "node:fs/promises";
import { dirname, isAbsolute, resolve } from "node:path";
import { type Fixtures, readModelBytesAsync } from "../headless/index.ts";
import { StudioBridgeError } from "../protocol/errors.ts";
import { checkedBy } from "../protocol/input.ts";
import { decodePng } from "../util/png.ts";
import { type JsoncMember, type JsoncNode, membersOf, nodeAt, parseJsonc, valueOf } from "../util/jsonc.ts";
import { decodeStrictly } from "../util/strict-utf8.ts";
import { systemReason } from "../util/system-error.ts";
import { placeOf, TextFault } from "../util/text-fault.ts";
import { isReallyWithin } from "../util/real-path-inside.ts";
import { visibleOnOneLine } from "../util/visible-controls.ts";
import { findProjectFileAsync } from "./find-project-file.ts";
import { type FixtureFile, fixtureSchema } from "./fixture-schema.ts";

/** Throws FILE_ERROR for a file that cannot be read, INVALID_INPUT with the place of a bad field. */
export async function readFixturesAsync(
  file: string,
  variables: NodeJS.ProcessEnv = process.env,
): Promise<Fixtures> {
  const text = await textOfAsync(file);
  const { value, faultAt } = readFile(file, text);
  const { $schema: _, assets = {}, secrets = {}, ...facts } = value;
  return {
    facts: JSON.stringify({ ...facts, secrets: secretValues(secrets, variables, faultAt) }),
    ...(await assetsAsync(file, assets, faultAt)),
  };
}

type FaultAt = (path: readonly string[], message: string) => StudioBridgeError;

async function textOfAsync(file: string): Promise<string> {
  let bytes: Uint8Array;
  try {
    bytes = await Bun.file(file).bytes();
  } catch (error) {
    throw new StudioBridgeError(
      "FILE_ERROR",
      `Could not read fixtures: ${visibleOnOneLine(file)}: ${systemReason(error)}`,
      { hint: "Check the path of --fixtures, also in sb.config.json if it comes from there." },
    );
  }
  const text = decodeStrictly(bytes);
  if (typeof text === "string") return text;
  throw faultIn(`${file}:${text.line}:${text.column}`, "not valid UTF-8");
}

function readFile(file: string, text: string): { readonly value: FixtureFile; readonly faultAt: FaultAt } {
  const at = (offset: number): string => {
    const { line, column } = placeOf(text, offset);
    return `${file}:${line}:${column}`;
  };
  const root = parsed(text, (fault) => faultIn(at(fault.offset), fault.message));
  if (root?.type !== "object") throw faultIn(at(root?.offset ?? 0), "expected an object");
  refuseTwice(root, ({ key, keyStart }) => faultIn(at(keyStart), `${visibleOnOneLine(key)}: there twice`));
  const faultAt: FaultAt = (path, message) =>
    faultIn(at(nodeAt(root, path).offset), `${path.join(".")}: ${message}`);
  const value = checkedBy(fixtureSchema, valueOf(root), ([issue]) => {
    const path = [issue?.key ?? "", ...(issue?.path ?? [])].map(String).filter((part) => part !== "");
    const message = issue?.message ?? "not understood";
    return path.length === 0 ? faultIn(at(root.offset), message) : faultAt(path, message);
  });
  return { value, faultAt };
}

/** Of two members with one name, one would be lost. */
function refuseTwice(node: JsoncNode, fault: (member: JsoncMember) => Error): void {
  const seen = new Set<string>();
  for (const member of membersOf(node)) {
    if (seen.has(member.key)) throw fault(member);
    seen.add(member.key);
    refuseTwice(member.value, fault);
  }
  if (node.type === "array") for (const child of node.children ?? []) refuseTwice(child, fault);
}

function parsed(text: string, fault: (fault: TextFault) => Error) {
  try {
    return parseJsonc(text);
  } catch (error) {
    throw error instanceof TextFault ? fault(error) : error;
  }
}

function secretValues(
  secrets: NonNullable<FixtureFile["secrets"]>,
  variables: NodeJS.ProcessEnv,
  faultAt: FaultAt,
): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(secrets).map(([name, { env }]) => {
      const value = variables[env];
      if (value === undefined)
        throw faultAt(["secrets", name, "env"], `the variable ${visibleOnOneLine(env)} is not set`);
      return [name, value];
    }),
  );
}

const isImage = (path: string): boolean => path.toLowerCase().endsWith(".png");

/** The models as Base64 of their binary form, and the images as they are, so that the whole choice is one JSON text. */
async function assetsAsync(
  file: string,
  assets: NonNullable<FixtureFile["assets"]>,
  faultAt: FaultAt,
): Promise<Required<Pick<Fixtures, "assets" | "images">>> {
  const own = await realpath(dirname(resolve(file)));
  const project = await findProjectFileAsync(own);
  const root = project === undefined ? own : dirname(project.file);
  const read = async ([id, path]: [string, string]): Promise<[string, string]> => {
    const whole = resolve(own, path);
    if (isAbsolute(path) || !isReallyWithin(root, whole))
      throw faultAt(["assets", id], "expected a file below the project, also where links lead");
    try {
      if (isImage(path)) return [id, await imageAsync(whole)];
      return [id, Buffer.from(await readModelBytesAsync(whole)).toString("base64")];
    } catch (error) {
      throw faultAt(["assets", id], `${visibleOnOneLine(path)}: ${systemReason(error)}`);
    }
  };
  const all = Object.entries(assets);
  const [models, images] = [
    all.filter(([, path]) => !isImage(path)),
    all.filter(([, path]) => isImage(path)),
  ];
  return {
    assets: Object.fromEntries(await Promise.all(models.map(read))),
    images: Object.fromEntries(await Promise.all(images.map(read))),
  };
}

async function imageAsync(file: string): Promise<string> {
  const bytes = await Bun.file(file).bytes();
  if (decodePng(bytes) === undefined) throw new Error("expected a PNG with 8 bits a channel, not interlaced");
  return Buffer.from(bytes).toString("base64");
}

function faultIn(place: string, message: string): StudioBridgeError {
  const hint = "Fix the file that --fixtures names; docs/fixtures.schema.json describes it.";
  return new StudioBridgeError("INVALID_INPUT", `${visibleOnOneLine(place)}: ${message}`, {
    hint,
    agentHint: hint,
  });
}
