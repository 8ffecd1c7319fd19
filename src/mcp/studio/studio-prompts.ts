/** Ways of working that a user can start with one choice. Texts are for the model; they name tools, not commands. */
import type { Prompt, Prompts } from "../server/features.ts";

const sessionArgument = {
  name: "sessionId",
  description: "Which Studio; needed only when several are connected",
  required: false,
};

const prompts: readonly Prompt[] = [
  {
    name: "debug_play_test",
    title: "Debug a play test",
    description: "Finds out why something goes wrong while the game plays",
    arguments: [
      { name: "symptom", description: "What goes wrong, and what should happen instead", required: true },
      sessionArgument,
    ],
    text: ({ symptom = "", sessionId }) => `Debug a play test in Roblox Studio. What goes wrong: ${symptom}

1. Call studio_sessions${chosen(sessionId)}. If no session has the context \`server\`, start a play test with studio_play, or ask me to, and wait until the fault shows.
2. Read studio_logs of the contexts \`server\` and \`client\`, levels Error and Warning first. Name the script and the line of each error.
3. Look at what the error is about with studio_query, and at live values with studio_exec. Read first; change nothing in the running game without telling me.
4. Say what the cause is and show the smallest change that fixes it. Apply it only in the \`edit\` context, after I agree, and ask me to play again to see whether it holds.`,
  },
  {
    name: "write_verified_script",
    title: "Write and verify a script",
    description: "Writes Luau for a goal and proves in Studio that it works",
    arguments: [
      { name: "goal", description: "What the script should do", required: true },
      { name: "parent", description: "Where it goes, e.g. ServerScriptService", required: false },
      sessionArgument,
    ],
    text: ({
      goal = "",
      parent = "ServerScriptService",
      sessionId,
    }) => `Write a Luau script for Roblox Studio: ${goal}

1. Call studio_sessions${chosen(sessionId)}, then look with studio_query at ${parent} and at every Instance that the script will touch. Do not guess names or properties.
2. Write the script in --!strict Luau, as small as it can be.
3. Try its parts with studio_exec and return values that prove each of them; fix what fails.
4. Create it under ${parent} with studio_edit, and read it back with studio_read_script to be sure. Where a tool is missing, use studio_exec in the \`edit\` context.
5. Report what you proved and how, and what only a play test can show.`,
  },
];

function chosen(sessionId: string | undefined): string {
  return sessionId === undefined ? "" : ` and use sessionId ${sessionId}`;
}

export const studioPrompts: Prompts = { listAsync: async () => prompts };
