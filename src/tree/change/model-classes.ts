/** The classes whose Instances only a model file can make whole. */

/**
 * UNVERIFIED: scripts can make Instances of these classes, but cannot give them their shape. Where no model can be made, what
 * makes such an Instance says what is missing.
 */
export const MODEL_CLASSES: ReadonlySet<string> = new Set([
  "MeshPart",
  "PartOperation",
  "UnionOperation",
  "NegateOperation",
  "IntersectOperation",
]);
