/** The interface of the journal for the bridge host. */
export { Journal } from "./journal.ts";
export type { JournaledReply, JournaledRequest } from "./journal.ts";
export { isJournalOff } from "./settings.ts";
