/** The scripts that make a shell run `sb complete`. They do not name any command, so they never become outdated. */
import bash from "./sb.bash" with { type: "text" };
import fish from "./sb.fish" with { type: "text" };
import powershell from "./sb.ps1" with { type: "text" };
import zsh from "./sb.zsh" with { type: "text" };

export const completionScripts = { bash, zsh, fish, powershell } as const;
