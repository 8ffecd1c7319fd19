/** Assumptions that the start and the end of a play test tell about; the others have probes in `probes/`. */
export const PLAY_ASSUMPTIONS = {
  startTest: "start-test",
  endTest: "end-test",
  editReturns: "edit-returns",
} as const;
