/** Deflate and zstd, from node:zlib. Asked for by name, so that the build does not store its bytecode, 45 KB. */
export const zlib = process.getBuiltinModule("node:zlib");
