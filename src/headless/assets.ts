/** What a headless Studio is made of: the VM, the engine's sources, class data. Loaded once, on first use. */

export interface HeadlessAssets {
  readonly luauWasm: Uint8Array;
  /** Engine module path without extension, such as `Kernel/Host`, to its source. */
  readonly engine: Readonly<Record<string, string>>;
  /** The text that class-data.ts reads. */
  readonly classData: string;
}
