/** `sb headless --restore=list`: the places that were kept when their Studios ended. */
import { listKeptPlacesAsync, type KeptPlace } from "../../headless/index.ts";
import type { Emission } from "../../output/emission.ts";
import { sizeText } from "../../util/size-text.ts";
import { textTable } from "../../util/text-table.ts";
import type { Column } from "../../util/text-table.ts";
import { visibleOnOneLine } from "../../util/visible-controls.ts";

const COLUMNS: readonly Column<KeptPlace>[] = [
  { title: "NAME", value: ({ name }) => name },
  { title: "PLACE", value: ({ placeName }) => visibleOnOneLine(placeName) },
  { title: "SIZE", value: ({ bytes }) => sizeText(bytes) },
  { title: "KEPT", value: ({ keptAt }) => keptAt.replace("T", " ").slice(0, 16) },
];

export async function keptPlacesAsync(): Promise<Emission> {
  const places = await listKeptPlacesAsync();
  return {
    stream: "stdout",
    json: { places },
    text: (style) => {
      const [head = "", ...rows] = textTable(COLUMNS, places, style.columns);
      return places.length === 0 ? "No place is kept." : [style.dim(head), ...rows].join("\n");
    },
  };
}
