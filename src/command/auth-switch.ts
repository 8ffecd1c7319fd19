/** The switch that turns authentication off, for peers that cannot prove themselves. Whoever reads it says so loudly. */

export const NO_AUTH_VARIABLE = "STUDIO_BRIDGE_DANGEROUSLY_NO_AUTH";

export function isAuthOff(env: { readonly [name: string]: string | undefined } = process.env): boolean {
  return env[NO_AUTH_VARIABLE] === "1";
}

export function authOffText(): string {
  return `Authentication is off (${NO_AUTH_VARIABLE}=1): whoever reaches the bridge host can run code in Studio.`;
}
