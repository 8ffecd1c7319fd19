/** Examples of the messages of ../actions/place-files.ts. */
import { request } from "./example.ts";
import type { MessageExample } from "./example.ts";

export const placeFileExamples: readonly MessageExample[] = [
  { type: "queryPlaceFile", ...request, payload: {} },
  {
    type: "placeFileResult",
    ...request,
    payload: { file: "/home/ada/game.rbxl", isUnsaved: true },
  },
  { type: "savePlace", ...request, payload: { file: "/home/ada/game.rbxl" } },
  { type: "savePlaceResult", ...request, payload: { bytes: 20480, instances: 412 } },
  { type: "endStudio", ...request, payload: { unsaved: "keep" } },
  { type: "endStudioResult", ...request, payload: { kept: "game-3f2a", dropped: [] } },
];
