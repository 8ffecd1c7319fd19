/** Who may talk to whom on this machine: the key file and the proofs made from it. */
export { KEY_FILE_VARIABLE, KeyFileError, keyFilePath, loadKeyAsync } from "./key-file.ts";
export { createProver, deriveRoleKey, isSameProof, keyIdOf, prove } from "./proof.ts";
export type { Claim, Prover, Role, Side } from "./proof.ts";
