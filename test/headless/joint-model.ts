/**
 * A second method for joints: frames as 3×4 numbers, and everything worked out again after each act. It shares nothing
 * with the engine.
 */

export type Frame = readonly number[];
export type Kind = "Weld" | "Motor6D" | "Snap" | "WeldConstraint" | "RigidConstraint";

interface ModelPart {
  frame: Frame;
  isAnchored: boolean;
  isInPlace: boolean;
  readonly face: number;
  priority: number;
}

interface ModelJoint {
  readonly kind: Kind;
  readonly first: number;
  readonly second: number;
  c0: Frame;
  c1: Frame;
  isEnabled: boolean;
  isGone: boolean;
  isActive: boolean;
  /** When it became possible; 0 while it is not. */
  order: number;
}

export const IDENTITY: Frame = [0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1];

/** Position first, then the rotation row by row, as `CFrame:GetComponents`. */
export function times(a: Frame, b: Frame): Frame {
  const at = (f: Frame, row: number, column: number): number => f[3 + row * 3 + column] ?? 0;
  const rows = [0, 1, 2];
  const position = rows.map((row) => rows.reduce((sum, k) => sum + at(a, row, k) * (b[k] ?? 0), a[row] ?? 0));
  const turn = rows.flatMap((row) =>
    rows.map((column) => rows.reduce((sum, k) => sum + at(a, row, k) * at(b, k, column), 0)),
  );
  return [...position, ...turn];
}

export function inverse(f: Frame): Frame {
  const [x = 0, y = 0, z = 0, a = 0, b = 0, c = 0, d = 0, e = 0, g = 0, h = 0, i = 0, j = 0] = f;
  return [
    -(a * x + d * y + h * z),
    -(b * x + e * y + i * z),
    -(c * x + g * y + j * z),
    ...[a, d, h, b, e, i, c, g, j],
  ];
}

/** Turned about Y, then X, then Z, in radians, as `Orientation` says. */
export function turned(x: number, y: number, z: number, position: readonly number[]): Frame {
  const about = (angle: number, one: number, other: number): Frame => {
    const turn = [...IDENTITY];
    turn[3 + one * 4] = Math.cos(angle);
    turn[3 + other * 4] = Math.cos(angle);
    turn[3 + one * 3 + other] = -Math.sin(angle);
    turn[3 + other * 3 + one] = Math.sin(angle);
    return turn;
  };
  const turn = times(times(about(y, 2, 0), about(x, 1, 2)), about(z, 0, 1));
  return [...position, ...turn.slice(3)];
}

export function distance(a: Frame, b: Frame): number {
  return Math.max(...a.map((value, index) => Math.abs(value - (b[index] ?? Number.NaN))));
}

export class JointModel {
  readonly parts: ModelPart[] = [];
  readonly joints: ModelJoint[] = [];
  #count = 0;

  addPart(frame: Frame, face: number): void {
    this.parts.push({ frame, face, isAnchored: false, isInPlace: true, priority: 0 });
  }

  addJoint(kind: Kind, first: number, second: number, c0: Frame, c1: Frame): void {
    this.joints.push({
      kind,
      first,
      second,
      c0,
      c1,
      isEnabled: true,
      isGone: false,
      isActive: false,
      order: 0,
    });
    this.update();
  }

  setFrame(part: number, frame: Frame): void {
    const change = times(frame, inverse(this.#frame(part)));
    for (const each of this.#reach(part)) this.#part(each).frame = times(change, this.#frame(each));
  }

  setAlone(part: number, frame: Frame): void {
    const change = times(frame, inverse(this.#frame(part)));
    const along = new Set([part]);
    for (const joint of this.#of(part).filter((each) => each.kind === "RigidConstraint"))
      for (const each of this.#reach(joint.first === part ? joint.second : joint.first, joint))
        along.add(each);
    for (const each of along) this.#part(each).frame = times(change, this.#frame(each));
    for (const joint of this.#of(part).filter((each) => each.kind !== "RigidConstraint")) {
      const [one, other] = [this.#frame(joint.first), this.#frame(joint.second)];
      if (joint.first === part) joint.c0 = times(times(inverse(one), other), joint.c1);
      else joint.c1 = times(times(inverse(other), one), joint.c0);
    }
  }

  setOffset(joint: number, name: "c0" | "c1", frame: Frame): void {
    const each = this.#joint(joint);
    each[name] = frame;
    if (each.isActive) this.#bringTogether(each, each);
  }

  /** Switches joints on and off after anything else has changed, and brings together what a new one holds. */
  update(): void {
    const before = new Set(this.joints.filter((joint) => joint.isActive));
    const group = this.parts.map((part, index) => (part.isAnchored ? -1 : index));
    const starting: ModelJoint[] = [];
    for (const joint of this.joints) {
      const ends = [this.#part(joint.first), this.#part(joint.second)];
      const isPossible = joint.isEnabled && !joint.isGone && ends.every((part) => part.isInPlace);
      if (!isPossible) joint.order = 0;
      else if (joint.order === 0) joint.order = ++this.#count;
      joint.isActive = false;
    }
    for (const joint of this.joints.filter((each) => each.order > 0).sort((a, b) => a.order - b.order)) {
      const [one, other] = [group[joint.first], group[joint.second]];
      joint.isActive = one !== other;
      if (!joint.isActive) continue;
      const kept = Math.min(one ?? 0, other ?? 0);
      group.forEach((value, index) => {
        if (value === one || value === other) group[index] = kept;
      });
      if (!before.has(joint)) starting.push(joint);
    }
    for (const joint of starting) joint.isActive = false;
    for (const joint of starting) {
      this.#bringTogether(joint);
      joint.isActive = true;
    }
  }

  #bringTogether(joint: ModelJoint, without?: ModelJoint): void {
    if (joint.kind === "WeldConstraint") return;
    const one = this.#reach(joint.first, without);
    const other = this.#reach(joint.second, without);
    const [first, second] = [this.#frame(joint.first), this.#frame(joint.second)];
    const offset = times(joint.c0, inverse(joint.c1));
    if (distance(times(first, offset), second) < 1e-4) return;
    const isSecondRoot = this.#isBefore(this.#root(other), this.#root(one));
    const change = isSecondRoot
      ? times(times(second, inverse(offset)), inverse(first))
      : times(times(first, offset), inverse(second));
    for (const each of isSecondRoot ? one : other) this.#part(each).frame = times(change, this.#frame(each));
  }

  #root(parts: ReadonlySet<number>): number {
    return [...parts].reduce((best, each) => (this.#isBefore(each, best) ? each : best));
  }

  #isBefore(one: number, other: number): boolean {
    const [a, b] = [this.#part(one), this.#part(other)];
    if (a.isAnchored !== b.isAnchored) return a.isAnchored;
    return a.priority === b.priority ? a.face > b.face : a.priority > b.priority;
  }

  /** All parts that active joints hold to a part, without one joint. */
  #reach(part: number, without?: ModelJoint): Set<number> {
    const found = new Set([part]);
    for (const each of found)
      for (const joint of this.#of(each)) if (joint !== without) found.add(joint.first).add(joint.second);
    return found;
  }

  #of(part: number): readonly ModelJoint[] {
    return this.joints.filter((joint) => joint.isActive && (joint.first === part || joint.second === part));
  }

  #frame(part: number): Frame {
    return this.#part(part).frame;
  }

  #part(index: number): ModelPart {
    const part = this.parts[index];
    if (part === undefined) throw new Error(`no part ${index}`);
    return part;
  }

  #joint(index: number): ModelJoint {
    const joint = this.joints[index];
    if (joint === undefined) throw new Error(`no joint ${index}`);
    return joint;
  }
}
