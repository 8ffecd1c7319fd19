export interface WindowsNames {
  readonly fileVersion: string;
  readonly strings: { readonly [name: string]: string };
  /** The widths of its icons. */
  readonly icons: readonly number[];
}

export function withOwnNames(executable: Uint8Array, version: string): Uint8Array;
export function windowsNames(executable: Uint8Array): WindowsNames | undefined;
