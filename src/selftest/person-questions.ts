/** What only a person who looks at Studio can tell, as plain questions. Each settles the assumption of its id. */

export interface PersonQuestion {
  /** The id of the assumption. */
  readonly id: string;
  /** What the person does first, and then presses a key for. */
  readonly first?: string;
  /** Luau that runs in the edited place before the question. */
  readonly show?: string;
  /** Yes means that the assumption holds. */
  readonly question: string;
}

const PANEL = 'game:GetService("CoreGui"):FindFirstChild("StudioBridgePanel", true)';

/** Opens the panel after so many seconds, also where it is open. */
const opening = (seconds: number): string => `
local panel = ${PANEL}
assert(panel, "there is no panel")
panel.Enabled = false
task.wait(${seconds})
panel.Enabled = true
task.wait(1)`;

export const personQuestions: readonly PersonQuestion[] = [
  {
    id: "toolbar-text",
    question:
      'Does the tab Plugins of Studio have a button on which the text "Studio Bridge" can be read, without a picture?',
  },
  {
    id: "plugin-actions",
    question:
      'Does Studio\'s list of shortcuts (File > Advanced > Customize Shortcuts) have "Pause Studio Bridge" and "Studio Bridge: look only"?',
  },
  {
    id: "widget-raised",
    first:
      "Open the panel with its button, drag it onto another docked window such as Properties, and bring that other window to the front.",
    show: opening(1),
    question: "Is the panel in front now?",
  },
  {
    id: "widget-focus",
    first:
      "Open any script, click into it, and keep on typing there until the panel has closed and opened again, within five seconds.",
    show: opening(3),
    question: "Did all that you typed go into the script?",
  },
  {
    id: "panel-in-play",
    first: "Start a play test with F5, click into the game once, and look at the panel.",
    question:
      "Is the panel still there, and does its button Diagnosis react to a click? (End the test afterwards.)",
  },
  {
    id: "theme-changed",
    first:
      "Change the theme of Studio to the other one (File > Studio Settings > Theme), with the panel open.",
    question: "Has the panel taken the colours of the new theme, so that all of it can be read?",
  },
  {
    id: "widget-kept",
    question:
      "Was the panel where you had left it when Studio started after `sb install-plugin` had replaced the plugin? (Skip it if you have not seen that.)",
  },
];
