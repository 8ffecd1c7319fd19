/** Rays, casts and overlaps of random scenes, beside a second method that shares nothing with the engine's geometry. */
import { expect, test } from "bun:test";
import { distanceTo, type Body } from "./geometry/bodies.ts";
import { answersAsync, sceneOf, type Hit, type Scene } from "./geometry/scenes.ts";
import { areOverlapping, meetBody, meetRay, type Meeting } from "./geometry/second-method.ts";
import { along, dot, length, sub, type V3 } from "./geometry/vectors.ts";

const EXACT = 1e-4;
const COUNTS = { parts: 60, rays: 250, casts: 120, volumes: 60 };

/** What the engine should have found first, of the parts that a path meets; undefined where rounding decides. */
function firstOf(
  scene: Scene,
  way: V3,
  meet: (part: Body) => Meeting,
): { part: number; from: number; to: number } | false | undefined {
  const size = length(way);
  const meetings = scene.parts.map((part, index) => ({ part: index + 1, meeting: meet(part) }));
  const spans = meetings.flatMap(({ part, meeting }) =>
    typeof meeting === "string" ? [] : [{ part, from: meeting.from * size, to: meeting.to * size }],
  );
  const [first, second] = spans.sort((a, b) => a.from - b.from);
  if (meetings.some(({ meeting }) => meeting === "unclear")) return undefined;
  if (first === undefined) return false;
  return second !== undefined && second.from < first.to + 2 * EXACT ? undefined : first;
}

function problemOf(hit: Hit | false, wanted: ReturnType<typeof firstOf>): string | undefined {
  if (wanted === undefined) return undefined;
  if (hit === false || wanted === false)
    return hit === wanted ? undefined : `wanted ${JSON.stringify(wanted)}, got ${JSON.stringify(hit)}`;
  const isRight =
    hit.part === wanted.part && hit.distance > wanted.from - EXACT && hit.distance < wanted.to + EXACT;
  return isRight ? undefined : `wanted ${JSON.stringify(wanted)}, got ${JSON.stringify(hit)}`;
}

/** The point of a hit lies on the part, and a step along the normal leads away from it. */
function surfaceProblemOf(scene: Scene, hit: Hit | false, way: V3, exact: number): string | undefined {
  const part = hit === false ? undefined : scene.parts[hit.part - 1];
  if (hit === false || part === undefined) return undefined;
  const off = distanceTo(part, hit.position);
  const step = distanceTo(part, along(hit.position, hit.normal, 1));
  if (Math.abs(off) > exact) return `a point that is ${off} off the part: ${JSON.stringify(hit)}`;
  if (Math.abs(length(hit.normal) - 1) > EXACT || dot(hit.normal, way) >= 0)
    return `a wrong normal: ${JSON.stringify(hit)}`;
  return Math.abs(step - 1) > 1e-3
    ? `a normal that leads ${step} away: ${JSON.stringify([part, hit])}`
    : undefined;
}

/** Parts of like sizes close together, and plates and needles far apart. */
const SHAPED = [
  { extent: 40, sides: [0.5, 14, 6] },
  { extent: 200, sides: [0.05, 200, 60] },
] as const;

for (const seed of [1, 2, 3, 4, 5, 6, 7, 8])
  test(`scene ${seed} looks the same to the second method`, async () => {
    const scene = sceneOf(seed, COUNTS, SHAPED[seed > 4 ? 1 : 0]);
    const answers = await answersAsync(scene, seed % 2 === 0);
    const problems: string[] = [];
    let judged = 0;
    const note = (name: string, problem: string | undefined): void => {
      if (problem !== undefined) problems.push(`${name}: ${problem}`);
    };
    for (const [index, { origin, way }] of scene.rays.entries()) {
      const wanted = firstOf(scene, way, (part) => meetRay(part, origin, way));
      const hit = answers.rays[index] ?? false;
      if (wanted !== undefined) judged += 1;
      note(`ray ${index}`, problemOf(hit, wanted) ?? surfaceProblemOf(scene, hit, way, EXACT));
      if (hit !== false) note(`ray ${index}`, offPathProblem(hit, origin, way));
    }
    for (const [index, { moving, way }] of scene.casts.entries()) {
      const wanted = firstOf(scene, way, (part) => meetBody(part, moving, way));
      const hit = answers.casts[index] ?? false;
      if (wanted !== undefined) judged += 1;
      note(
        `cast ${index} of a ${moving.shape}`,
        problemOf(hit, wanted) ?? surfaceProblemOf(scene, hit, way, EXACT),
      );
      if (hit !== false) {
        const there = { ...moving, position: along(moving.position, way, hit.distance / length(way)) };
        const off = distanceTo(there, hit.position);
        if (Math.abs(off) > 5 * EXACT)
          note(`cast ${index} of a ${moving.shape}`, `a point that is ${off} off the moved shape`);
      }
    }
    for (const [index, { kind, body }] of scene.volumes.entries()) {
      const found = answers.volumes[index] ?? [];
      for (const [at, part] of scene.parts.entries()) {
        const wanted = areOverlapping(body, kind === "part" ? part : { ...part, shape: "Block" });
        if (wanted !== undefined) judged += 1;
        if (wanted !== undefined && found.includes(at + 1) !== wanted)
          note(
            `${kind} ${index}`,
            `${wanted ? "does not find" : "finds"} ${JSON.stringify(part)} in ${JSON.stringify(body)}`,
          );
      }
    }
    expect(problems).toEqual([]);
    // Few answers may depend on rounding: otherwise this test would say nothing.
    const asked = COUNTS.rays + COUNTS.casts + COUNTS.volumes * COUNTS.parts;
    expect(judged / asked).toBeGreaterThan(0.97);
  });

function offPathProblem(hit: Hit, origin: V3, way: V3): string | undefined {
  const off = length(sub(hit.position, along(origin, way, hit.distance / length(way))));
  return off > EXACT ? `a point that is ${off} off the ray` : undefined;
}
