/** Random scenes and questions, and the answers of headless Studio to them. */
import { HeadlessStudio } from "../../../src/headless/window/studio.ts";
import { PATIENCE_MS } from "../../harness.ts";
import { assets, noNetwork } from "../run-spec.ts";
import { SHAPES, type Body, type Shape } from "./bodies.ts";
import program from "./questions.luau" with { type: "text" };
import { cross, unit, type V3 } from "./vectors.ts";

export interface Hit {
  /** Which part of the scene, from 1. */
  readonly part: number;
  readonly distance: number;
  readonly position: V3;
  readonly normal: V3;
}

export interface Cast {
  readonly moving: Body;
  readonly way: V3;
}

export interface Volume {
  readonly kind: "box" | "radius" | "part";
  readonly body: Body;
}

export interface Scene {
  readonly parts: readonly Body[];
  readonly rays: readonly { readonly origin: V3; readonly way: V3 }[];
  readonly casts: readonly Cast[];
  readonly volumes: readonly Volume[];
}

export interface Answers {
  readonly rays: readonly (Hit | false)[];
  readonly casts: readonly (Hit | false)[];
  /** The parts that overlap each volume, in rising order. */
  readonly volumes: readonly (readonly number[])[];
}

/** Numbers from 0 to 1 that a seed decides (Mulberry32). */
export function randomOf(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

const rounded = ([x, y, z]: V3): V3 => [Math.fround(x), Math.fround(y), Math.fround(z)];

/** Everything is rounded to the numbers of the engine, so that both methods work on the same scene. */
class Maker {
  readonly #random: () => number;
  readonly #extent: number;

  constructor(seed: number, extent: number) {
    this.#random = randomOf(seed);
    this.#extent = extent;
  }

  between(low: number, high: number): number {
    return low + (high - low) * this.#random();
  }

  vector(reach: number): V3 {
    return rounded([this.between(-reach, reach), this.between(-reach, reach), this.between(-reach, reach)]);
  }

  position(): V3 {
    return this.vector(this.#extent);
  }

  /** Every third body stands upright, as most parts do. */
  axes(): Body["axes"] {
    if (this.#random() < 1 / 3)
      return [
        [1, 0, 0],
        [0, 1, 0],
        [0, 0, 1],
      ];
    const x = unit(this.vector(1));
    const y = unit(cross(this.vector(1), x));
    return [rounded(x), rounded(y), rounded(cross(x, y))];
  }

  body(shape: Shape, least: number, most: number): Body {
    // As many small sizes as large ones, because a part may be a plate or a needle.
    const length = (): number => least * (most / least) ** this.between(0, 1);
    const size = rounded([length(), length(), length()]);
    return { shape, size, position: this.position(), axes: this.axes() };
  }

  shape(shapes: readonly Shape[] = SHAPES): Shape {
    return shapes[Math.floor(this.#random() * shapes.length)] ?? "Block";
  }
}

export interface Shaped {
  /** How far from the origin positions are, on each axis. */
  readonly extent: number;
  /** The least and the greatest side of a part, and the greatest of what is cast. */
  readonly sides: readonly [number, number, number];
}

export function sceneOf(
  seed: number,
  counts: { readonly [Kind in keyof Scene]: number },
  { extent, sides: [least, most, mostCast] }: Shaped,
): Scene {
  const make = new Maker(seed, extent);
  const list = <Item>(count: number, item: () => Item): Item[] => Array.from({ length: count }, item);
  const kinds: readonly Volume["kind"][] = ["box", "radius", "part"];
  return {
    parts: list(counts.parts, () => make.body(make.shape(), least, most)),
    rays: list(counts.rays, () => ({ origin: make.position(), way: make.vector(extent * 1.5) })),
    casts: list(counts.casts, () => ({
      moving: make.body(make.shape(), least, mostCast),
      way: make.vector(extent),
    })),
    volumes: list(counts.volumes, () => {
      const kind = kinds[Math.floor(make.between(0, kinds.length))] ?? "box";
      const shape = kind === "box" ? "Block" : kind === "radius" ? "Ball" : make.shape();
      const body = make.body(shape, least * 2, most);
      const [width] = body.size;
      return { kind, body: kind === "radius" ? { ...body, size: [width, width, width] } : body };
    }),
  };
}

/** The answers of an engine in which the parts were first somewhere else, if `areMoved`, and half of them were questioned there. */
export async function answersAsync(scene: Scene, areMoved: boolean): Promise<Answers> {
  let answers = "";
  const lines: string[] = [];
  const log = (_type: number, text: string): void => {
    if (text.startsWith("answers ")) answers = text.slice("answers ".length);
    else lines.push(text);
  };
  using studio = new HeadlessStudio({
    assets,
    host: { ...noNetwork, log },
    scriptTimeoutSeconds: PATIENCE_MS / 1_000,
  });
  const text = JSON.stringify({ ...scene, areMoved });
  studio.runSource("=questions", `local TEXT = [==[${text}]==] ${program}`);
  const startedMs = performance.now();
  while (answers === "" && lines.length === 0 && performance.now() - startedMs < PATIENCE_MS)
    await Bun.sleep(1);
  if (answers === "") throw new Error(`no answers: ${lines.join("\n")}`);
  const parsed: Answers = JSON.parse(answers);
  return parsed;
}
