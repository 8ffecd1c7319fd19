/** Examples of the messages of ../actions/interface.ts. */
import { request } from "./example.ts";
import type { MessageExample } from "./example.ts";

export const interfaceExamples: readonly MessageExample[] = [
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
];
