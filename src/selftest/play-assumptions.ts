/** The ids of assumptions that the start and the end of a play test settle. Other assumptions have probes in `probes/`. */
export const PLAY_ASSUMPTIONS = {
  startTest: "start-test",
  endTest: "end-test",
  editReturns: "edit-returns",
} as const;
