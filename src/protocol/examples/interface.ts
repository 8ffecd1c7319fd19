/** Examples of the messages of ../actions/interface.ts. */
import { request } from "./example.ts";
import type { MessageExample } from "./example.ts";

export const interfaceExamples: readonly MessageExample[] = [
  {
    type: "setViewport",
    ...request,
    payload: { viewport: { width: 844, height: 390, scale: 2, insets: [59, 0, 59, 21] } },
  },
  { type: "viewportResult", ...request, payload: {} },
  {
    type: "readInterface",
    ...request,
    payload: { path: "game.StarterGui.Menu", limit: 100 },
  },
  {
    type: "interfaceResult",
    ...request,
    payload: {
      root: "game.StarterGui.Menu",
      screen: [0, -58, 1280, 720],
      objects: [
        {
          path: "game.StarterGui.Menu.Window",
          id: "@16",
          name: "Window",
          className: "Frame",
          box: [0, 0, 400, 300],
          seen: [0, 0, 400, 300],
          isPressable: false,
          isInteractable: true,
          sinks: true,
          ignores: "off-screen",
        },
        {
          path: "game.StarterGui.Menu.Window.Play",
          id: "@17",
          name: "Play",
          className: "TextButton",
          parent: 0,
          box: [10, 20, 200, 50],
          seen: [10, 20, 200, 50],
          isPressable: true,
          isInteractable: true,
          sinks: true,
          text: "Play",
          textFits: true,
        },
      ],
      total: 2,
    },
  },
  {
    type: "input",
    ...request,
    payload: { steps: [{ do: "click", target: "Menu.Play" }], timeoutMs: 5000, force: false, trial: false },
  },
  {
    type: "inputResult",
    ...request,
    payload: {
      ok: false,
      steps: [
        {
          index: 0,
          ok: false,
          do: "click",
          waitedMs: 5012,
          fired: [],
          code: "COVERED",
          message:
            "A press on game.Players.Player1.PlayerGui.Menu.Play goes to game.Players.Player1.PlayerGui.Menu.Cover (@18).",
          coveredBy: { path: "game.Players.Player1.PlayerGui.Menu.Cover", id: "@18" },
        },
      ],
      released: [],
    },
  },
];
