/** The map of docs/architecture.md names every folder of src, and none that is gone. */

/** `page`: the text of the map. `paths`: those of src. */
export function mapFaults(page: string, paths: readonly string[]): string[] {
  const rooms = new Set(paths.flatMap((path) => (path.includes("/") ? [path.split("/")[0] ?? ""] : [])));
  // Only rows of the table count: other sentences name files.
  const rows = page.split("\n").filter((line) => line.startsWith("| `src/"));
  const named = new Set(
    rows.flatMap((row) =>
      [...(row.split(" | ")[0] ?? "").matchAll(/`src\/([^/`]+)\/`/g)].map(([, room = ""]) => room),
    ),
  );
  return [
    ...[...rooms]
      .filter((room) => !named.has(room))
      .map((room) => `docs/architecture.md does not name src/${room}/`),
    ...[...named]
      .filter((room) => !rooms.has(room))
      .map((room) => `docs/architecture.md names src/${room}/, which is gone`),
  ];
}
