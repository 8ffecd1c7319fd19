/**
 * The environment variable that turns authentication off, for peers that cannot prove themselves. Each process that
 * uses it prints a warning.
 */

export const NO_AUTH_VARIABLE = "STUDIO_BRIDGE_DANGEROUSLY_NO_AUTH";

export function isAuthOff(env: { readonly [name: string]: string | undefined } = process.env): boolean {
  return env[NO_AUTH_VARIABLE] === "1";
}

export function authOffText(): string {
  return `Authentication is off (${NO_AUTH_VARIABLE}=1): any program that reaches the bridge host can run code in Studio.`;
}
