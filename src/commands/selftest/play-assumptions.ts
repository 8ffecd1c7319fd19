/** Assumptions that the start and the end of a play test tell about; the others have probes in `probes/`. */
export const PLAY_ASSUMPTIONS = { endTest: "end-test" } as const;
