/** What a headless Studio is made of: the VM, the engine's sources, class data. */
import classesFile from "../../build/classes.txt" with { type: "file" };
import engineFile from "../../build/engine.bundle" with { type: "file" };
import snapshotFile from "../../build/engine.snapshot" with { type: "file" };
import wasmFile from "../../build/luau.wasm" with { type: "file" };

export interface HeadlessAssets {
  readonly luauWasm: Uint8Array;
  /** Engine module path without extension, such as `Kernel/Host`, to its source. */
  readonly engine: Readonly<Record<string, string>>;
  /** Text of build/classes.txt. */
  readonly classData: string;
  /** A VM in which the engine is booted already; without one, it is booted from the sources. */
  readonly snapshot?: Uint8Array;
}

/** Text of build/classes.txt. */
export const loadClassTextAsync = (): Promise<string> => Bun.file(classesFile).text();

/** The assets that the build embeds. */
export async function loadAssetsAsync(): Promise<HeadlessAssets> {
  const [luauWasm, engine, classData, compressed] = await Promise.all([
    Bun.file(wasmFile).bytes(),
    Bun.file(engineFile).json(),
    loadClassTextAsync(),
    Bun.file(snapshotFile).bytes(),
  ]);
  return { luauWasm, engine, classData, snapshot: Bun.zstdDecompressSync(compressed) };
}
