/** The files of a headless Studio: the VM, the engine, the class data. The build embeds them compressed. */
import { readFileSync } from "node:fs";
import classesFile from "../../build/classes.txt.zst" with { type: "file" };
import definitionsFile from "../../build/definitions.d.luau.zst" with { type: "file" };
import fontsFile from "../../build/fonts.txt.zst" with { type: "file" };
import glyphsFile from "../../build/glyphs.bin.zst" with { type: "file" };
import snapshotFile from "../../build/engine.snapshot.zst" with { type: "file" };
import signaturesFile from "../../build/signatures.txt.zst" with { type: "file" };
import wasmFile from "../../build/luau.wasm.zst" with { type: "file" };

export interface HeadlessAssets {
  /** build/luau.wasm, compiled. */
  readonly luau: WebAssembly.Module;
  /** A VM in which the engine is booted already, or the sources to boot it from. */
  readonly engine: { readonly snapshot: Uint8Array } | { readonly sources: EngineSources };
  /** Text of build/classes.txt. */
  readonly classData: () => string;
  /** Text of build/fonts.txt. */
  readonly fontData: () => string;
  /** Bytes of build/glyphs.bin. */
  readonly outlineData: () => Uint8Array;
}

/** Engine module path without extension, such as `Kernel/Host`, to its source. */
export type EngineSources = Readonly<Record<string, string>>;

/** Text of build/classes.txt, which is unpacked at each call. */
export const loadClassText = (): string => unpack(classesFile).toString();

/** Text of build/fonts.txt, which is unpacked at each call. */
export const loadFontText = (): string => unpack(fontsFile).toString();

/** Bytes of build/glyphs.bin, which are unpacked at each call. */
export const loadOutlines = (): Uint8Array => unpack(glyphsFile);

/** Text of build/signatures.txt. */
export const loadSignatureText = (): string => unpack(signaturesFile).toString();

/** Text of build/definitions.d.luau. */
export const loadDefinitionText = (): string => unpack(definitionsFile).toString();

/** The compiled VM: threads can share it. */
export async function loadLuauAsync(): Promise<WebAssembly.Module> {
  return WebAssembly.compile(new Uint8Array(unpack(wasmFile)));
}

export const loadSnapshot = (): Uint8Array => unpack(snapshotFile);

function unpack(path: string): Buffer {
  return Bun.zstdDecompressSync(readFileSync(path));
}
