/** The screen that the edited place and the clients of a headless Studio have: viewport, cut-outs around it, kind of device. */

export const DEVICES = ["desktop", "phone", "gamepad"] as const;
export type Device = (typeof DEVICES)[number];

/** What is left out is as in DEFAULT_SCREEN. */
export interface ScreenChoice {
  /** Camera.ViewportSize, in units of the interface, and the pixels of a unit. */
  readonly viewport?: { readonly width: number; readonly height: number; readonly scale: number };
  /** The cut-outs around the viewport, in the same units. */
  readonly insets?: {
    readonly left: number;
    readonly top: number;
    readonly right: number;
    readonly bottom: number;
  };
  readonly device?: Device;
  /** The folder of the fonts of an installed Studio, which measure texts in place of free ones. */
  readonly fontsFolder?: string;
}

export const DEFAULT_SCREEN: Required<Omit<ScreenChoice, "fontsFolder">> = {
  viewport: { width: 1280, height: 720, scale: 1 },
  insets: { left: 0, top: 0, right: 0, bottom: 0 },
  device: "desktop",
};

/** The words that engine/Layout/Screen.luau reads. */
export function screenText(choice: ScreenChoice): string {
  const { viewport, insets, device } = { ...DEFAULT_SCREEN, ...choice };
  const { width, height, scale } = viewport;
  const { left, top, right, bottom } = insets;
  return [width, height, scale, left, top, right, bottom, device].join(" ");
}
