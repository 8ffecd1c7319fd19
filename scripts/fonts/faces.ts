/**
 * The free fonts whose widths headless Studio knows: a family as Roblox calls it, the package that has its files, and the
 * weights. Roboto, Oswald and Montserrat are of the versions whose widths are those that were measured in Studio.
 */
export interface Family {
  /** The name of Roblox's file of the family, without its ending. */
  readonly name: string;
  readonly package: string;
  readonly weights: readonly number[];
  readonly hasItalic?: boolean;
  /** Pictures have the outlines of its letters. */
  readonly isDrawn?: boolean;
}

const REGULAR = [400] as const;
const TWO = [400, 700] as const;

export const FAMILIES: readonly Family[] = [
  { name: "Arimo", package: "arimo", weights: TWO, isDrawn: true },
  { name: "Bangers", package: "bangers", weights: REGULAR },
  { name: "FredokaOne", package: "fredoka-one", weights: REGULAR, isDrawn: true },
  { name: "Inconsolata", package: "inconsolata", weights: TWO, isDrawn: true },
  { name: "LuckiestGuy", package: "luckiest-guy", weights: REGULAR },
  { name: "Montserrat", package: "montserrat", weights: [400, 500, 600, 700, 800, 900], isDrawn: true },
  { name: "Nunito", package: "nunito", weights: TWO },
  { name: "Oswald", package: "oswald", weights: TWO, isDrawn: true },
  { name: "PermanentMarker", package: "permanent-marker", weights: REGULAR },
  { name: "PressStart2P", package: "press-start-2p", weights: REGULAR },
  { name: "Roboto", package: "roboto", weights: [400, 500, 700], isDrawn: true },
  { name: "RobotoCondensed", package: "roboto-condensed", weights: TWO },
  { name: "RobotoMono", package: "roboto-mono", weights: TWO },
  {
    name: "SourceSansPro",
    package: "source-sans-pro",
    weights: [300, 400, 600, 700],
    hasItalic: true,
    isDrawn: true,
  },
  { name: "TitilliumWeb", package: "titillium-web", weights: TWO },
  { name: "Ubuntu", package: "ubuntu", weights: TWO },
];

export const packageOf = (family: Family): string => `@fontsource/${family.package}`;
