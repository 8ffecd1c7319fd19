/** The icon that `sb mcp` tells its clients, which show it beside its tools. */
import { iconPng } from "../release/icon.ts";

const SIZE = 48;

export function mcpIcon(): string {
  const icon = {
    src: `data:image/png;base64,${iconPng(SIZE).toString("base64")}`,
    mimeType: "image/png",
    sizes: [`${SIZE}x${SIZE}`],
  };
  return `${JSON.stringify(icon, null, 2)}\n`;
}
