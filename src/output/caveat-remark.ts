/** The dimmed line about what a headless Studio has done otherwise than Roblox Studio. */
import type { CaveatFields } from "../protocol/caveats.ts";
import { wrapLong } from "../util/text-width.ts";
import type { Emission } from "./emission.ts";

/** How many events the line names. */
const MAX_NAMED = 4;

export function caveatRemark(fields: CaveatFields): Emission {
  const text = caveatText(fields);
  return { stream: "stderr", text: (style) => style.dim(wrapLong(text, style.columns)) };
}

/** Events with the same cure stand together before it. */
export function caveatText({ neverFires = [], approximated = [] }: CaveatFields): string {
  const groups = new Map<string, string[]>();
  for (const { event, connections, cure = "" } of neverFires.slice(0, MAX_NAMED)) {
    const group = groups.get(cure) ?? [];
    group.push(`${event} ×${connections}`);
    groups.set(cure, group);
  }
  const more = neverFires.length - MAX_NAMED;
  const events = [
    ...[...groups].map(([cure, names]) => names.join(", ") + (cure === "" ? "" : ` — ${cure}`)),
    ...(more > 0 ? [more === 1 ? "1 more event" : `${more} more events`] : []),
  ];
  const parts = [
    ...(events.length === 0 ? [] : [`never fires here: ${events.join("; ")}`]),
    ...(approximated.length === 0
      ? []
      : [
          `shapes taken for simpler ones: ${approximated.map((row) => `${row.class} ×${row.count}`).join(", ")}`,
        ]),
  ];
  return parts.join("; ");
}
