/**
 * The assumptions with an id that have no probe, each with the reason. The report and docs/assumptions.md show the reasons.
 */
export const UNPROBED: Readonly<Record<string, string>> = {
  "capture-content": "the check of captureScreenshot shows it: it loads a capture in this way",
  "capture-permission": "only the person who is asked sees the prompt",
  "capture-tiles": "the size of a capture is that of the user's window, which a script cannot enlarge",
  "detector-click": "it would need a part in front of the camera of the user's play test",
  "detector-distance": "it would need a part in front of the camera of the user's play test",
  "empty-terrain": "only the file of a place that Studio has saved shows it",
  "free-models": "it would search the Creator Store, and the self-test asks nothing of Roblox",
  "http-budget": "more than 500 requests in a minute would take those of the user's other plugins",
  "http-permission": "only the person who is asked sees the prompt",
  "interface-screen": "only a person who looks at Studio sees where its screen begins",
  "load-assets": "it would load an asset, and the self-test asks nothing of Roblox",
  "no-saving": "there is no documented member that a script could try",
  "objects-at-position": "the edited place has no top bar, from below which the point could count",
  "own-services": "only the file of a place that Studio has saved shows it",
  "plugin-actions": "only the person who looks at Studio's list of actions sees them",
  "plugins-in-play": "it would have to change a setting of Studio",
  "prompt-distance": "it would need a prompt beside the character in the user's play test",
  "prompt-exclusivity": "it would need a prompt beside the character in the user's play test",
  "prompt-hold": "it would need a prompt beside the character in the user's play test",
  "prompt-order": "it would need a prompt beside the character in the user's play test",
  "prompt-sight": "it would need a prompt beside the character in the user's play test",
  "sandboxed-assets": "it would load an asset, and the self-test asks nothing of Roblox",
  "step-limit": "more than a hundred steps would push the user's own steps out of the history",
  "test-refusal": "it would have to start a play test that cannot start",
  "unloading-in-time": "it would have to unload the plugin that runs the self-test",
  "widget-size": "it would open a widget in the user's Studio, which may dock it",
  "walk-owner": "only a person who plays controls a character",
  "weak-instances":
    "a script cannot tell when the memory is cleaned, and the plugin works with either answer",
};
