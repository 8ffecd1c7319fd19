/** Makes a thing when it is first asked for, once. Building a schema costs more than most runs have use for. */
export function lazy<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => (made ??= { value: make() }).value;
}
