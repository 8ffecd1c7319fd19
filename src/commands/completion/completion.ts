/** `sb completion SHELL`: prints the script that completes `sb` at the Tab key. */
import { defineSchema } from "../../protocol/schema.ts";
import { defineCommand } from "../../command-kit/definition.ts";

const shells = ["bash", "zsh", "fish", "powershell"] as const;

const input = defineSchema((z) =>
  z.strictObject({ shell: z.enum(shells).describe("bash, zsh, fish or powershell") }),
);

export const command = defineCommand({
  name: "completion",
  summary: "Set up Tab completion",
  description:
    "Prints the script that lets a shell complete commands, flags, their values and the ids of connected sessions.",
  group: "Setup",
  examples: [
    { command: "sb completion bash", note: "print the script" },
    { command: 'eval "$(sb completion bash)"', note: "in ~/.bashrc" },
    { command: 'eval "$(sb completion zsh)"', note: "in ~/.zshrc, after compinit" },
    { command: "sb completion fish | source", note: "in config.fish" },
    { command: "sb completion powershell | Out-String | Invoke-Expression", note: "in $PROFILE" },
  ],
  surfaces: ["cli"],
  target: "none",
  annotations: { readOnly: true, destructive: false, idempotent: true },
  input,
  output: defineSchema((z) => z.object({ shell: z.enum(shells), script: z.string() })),
  cli: { positionals: [{ key: "shell", label: "SHELL", required: true }] },
  format: ({ script }) => script.trimEnd(),
  async handler({ shell }) {
    const { completionScripts } = await import("./completion-scripts.ts");
    return { shell, script: completionScripts[shell] };
  },
});
