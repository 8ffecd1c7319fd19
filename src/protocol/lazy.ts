/** Makes a value once, at its first use. Building a schema costs more time than most runs of `sb` can spare. */
export function lazy<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => (made ??= { value: make() }).value;
}
