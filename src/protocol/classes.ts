/**
 * What a request does to a place: reads it, changes it, or runs code in it. Each row of the action table has a class, from
 * which the plugin decides what the person at Studio has allowed, and the journal says which calls changed something.
 */
export const requestClasses = ["look", "change", "run"] as const;
export type RequestClass = (typeof requestClasses)[number];

/** A field that changes the class of a request. */
interface Exception {
  readonly field: string;
  /** The value that does; without it any value other than false, and an empty list too. */
  readonly is?: string;
  readonly class: RequestClass;
}

/** `follow`: belongs to an earlier request, which was allowed already. */
export interface Classification {
  readonly usual: RequestClass | "follow";
  readonly exceptions: readonly Exception[];
}

const usually = (usual: Classification["usual"], ...exceptions: readonly Exception[]): Classification => ({
  usual,
  exceptions,
});

export const looks = (...exceptions: readonly Exception[]) => usually("look", ...exceptions);
export const changes = (...exceptions: readonly Exception[]) => usually("change", ...exceptions);
export const runs = () => usually("run");
export const follows = () => usually("follow");

/** The class of a request with this payload, of which nothing has been checked. */
export function classOf({ usual, exceptions }: Classification, payload: unknown): Classification["usual"] {
  if (exceptions.length === 0 || typeof payload !== "object" || payload === null) return usual;
  const fields: { readonly [field: string]: unknown } = Object(payload);
  const found = exceptions.find(({ field, is }) => {
    const value = Object.hasOwn(fields, field) ? fields[field] : undefined;
    return is === undefined ? value !== undefined && value !== null && value !== false : value === is;
  });
  return found?.class ?? usual;
}
