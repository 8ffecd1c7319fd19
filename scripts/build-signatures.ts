/**
 * Makes build/signatures.txt, what `sb api` shows of methods, events and callbacks: their parameters and results in
 * Luau, from the declarations of @rbxts/types. Does nothing when the file already fits the packages and the scripts.
 */
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { declarationsAsync, nameOf, signaturesOf } from "./luau-types/definitions.ts";
import type { ClassLine, Signature } from "./luau-types/definitions.ts";
import { type KnownTypes, parameterTypes, resultType } from "./luau-types/luau-type.ts";
import { provenanceOf } from "./luau-types/provenance.ts";

const ROOT = join(import.meta.dir, "..");
const OUTPUT = join(ROOT, "build", "signatures.txt");

/** `Enum.Material`, as scripts write it; the definitions for luau-lsp name the type `EnumMaterial`. */
const withEnums = (text: string): string => text.replaceAll(/\bEnum(?!Item\b)([A-Z]\w*)/g, "Enum.$1");

/** A parameter that takes an EnumItem also takes its name and its number, which @rbxts/types writes around the enum. */
const withoutCasts = (member: string): string => member.replaceAll(/CastsToEnum<([^<>]+)>/g, "$1");

const signatureText = ({ parameters, result }: Signature): string =>
  withEnums(`(${parameters.join(", ")}) -> ${result}`);

/** `name: (parameters) => result`, as the type of a field. */
function arrowSignature(type: string, known: KnownTypes): string | undefined {
  const [, parameters, result] = /^\(?\((.*)\) => (.+?)\)?(?: \| undefined)?$/.exec(type) ?? [];
  if (parameters === undefined || result === undefined) return undefined;
  return signatureText({
    parameters: parameterTypes(parameters, known),
    result: resultType(result, known),
  });
}

function fieldType(name: string, members: readonly string[]): string | undefined {
  const field = members.find((member) => new RegExp(`^(?:readonly )?${name}\\??: `).test(member));
  return field?.slice(field.indexOf(": ") + 2);
}

/** What an event gives to its listeners. */
function eventSignature(type: string, known: KnownTypes): string | undefined {
  const inner = /^RBXScriptSignal<(.*)>$/.exec(type)?.[1];
  if (inner === undefined) return undefined;
  const [, parameters] = /^\((.*)\) => .+$/.exec(inner) ?? [];
  return parameters === undefined
    ? undefined
    : withEnums(`(${parameterTypes(parameters, known).join(", ")})`);
}

/** One line a class: `Class|Member=signature` joined by tabs; a member whose signature is unknown is left out. */
function classLine(each: ClassLine, members: readonly string[], known: KnownTypes): string | undefined {
  const entries = [
    ...each.methods.map(nameOf).map((name): [string, string | undefined] => {
      const signatures = signaturesOf(name, members, known).map(signatureText);
      return [name, signatures.length === 0 ? undefined : signatures.join(" & ")];
    }),
    ...[...each.events, ...each.callbacks].map(nameOf).map((name): [string, string | undefined] => {
      const type = fieldType(name, members);
      const isEvent = type?.startsWith("RBXScriptSignal") === true;
      if (type === undefined) return [name, undefined];
      return [name, isEvent ? eventSignature(type, known) : arrowSignature(type, known)];
    }),
  ];
  const texts = entries.flatMap(([name, text]) => (text === undefined ? [] : [`${name}=${text}`]));
  return texts.length === 0 ? undefined : `${each.name}|${texts.join("\t")}`;
}

async function makeAsync(): Promise<string> {
  const { classes, known, membersOf } = await declarationsAsync();
  const lines = classes.flatMap(
    (each) => classLine(each, membersOf(each.name).map(withoutCasts), known) ?? [],
  );
  return `${lines.sort().join("\n")}\n`;
}

/** Returns the path of the file, made anew only when something it depends on has changed. */
export async function buildSignaturesAsync(): Promise<string> {
  const header = provenanceOf("signatures 1", import.meta.filename);
  if (existsSync(OUTPUT) && readFileSync(OUTPUT, "utf8").startsWith(`${header}\n`)) return OUTPUT;
  const text = `${header}\n${await makeAsync()}`;
  mkdirSync(join(ROOT, "build"), { recursive: true });
  const temporary = `${OUTPUT}.${process.pid}`;
  writeFileSync(temporary, text);
  renameSync(temporary, OUTPUT);
  return OUTPUT;
}

if (import.meta.main) await buildSignaturesAsync();
