/** Short histories that went wrong: for each guard one that does so without it, and others that the product got wrong. */
import type { Event, EventKind } from "./events.ts";
import type { FaultKind } from "./judge.ts";
import type { Guards } from "./name-history.ts";

export interface Story {
  readonly title: string;
  readonly events: readonly Event[];
}

export interface GuardStory extends Story {
  readonly guard: keyof Guards;
  readonly kind: FaultKind;
}

/** Of the first folder and the first Studio, where nothing else is said. */
const event = (kind: EventKind, { how = 1, script = 0, studio = 0 }: Partial<Event> = {}): Event => ({
  ...{ kind, how, script, studio, folder: 0 },
});

/** What `how` means to a sync: no person answers, and what is decided is applied. */
const UNATTENDED = 2;
/** To a killed one: after so many acts. */
const afterActs = (acts: number): number => acts * 64 + 1;

export const GUARD_STORIES: readonly GuardStory[] = [
  {
    title:
      "a push that Studio refused is not taken for an edit of Studio, though the sync was killed before it noted that",
    guard: "unfinished",
    kind: "lost",
    events: [event("refusedSync", { how: 9 + afterActs(3) - 1, script: 1 }), event("sync")],
  },
  {
    title: "Ctrl+Z of a push is a question also after the plugin was reloaded",
    guard: "lastName",
    kind: "mark",
    events: [event("sync"), event("reloadPlugin"), event("ctrlZ"), event("sync")],
  },
  {
    title: "what an undo left open is asked again, though a killed sync wrote down a newer revision",
    guard: "marksOfPlace",
    kind: "mark",
    events: [event("sync"), event("undoSync"), event("killedSync", { how: 856_471 }), event("sync")],
  },
  {
    title:
      "a pull that was taken back stays open, though the undo was killed before its name was in the place",
    guard: "followsUndo",
    kind: "mark",
    events: [
      event("sync"),
      event("editStudio"),
      event("sync"),
      event("killedUndo", { how: afterActs(3) }),
      event("sync"),
    ],
  },
  {
    title: "an undo says nothing of a place that was reopened, apart from what it takes back",
    guard: "undoLooks",
    kind: "lost",
    events: [
      event("sync"),
      event("flagStudio"),
      event("sync"),
      event("reopen"),
      event("undoSync"),
      event("sync"),
    ],
  },
  {
    title: "a flag of a killed push that was left open is not taken for an edit of Studio by the next sync",
    guard: "olderStays",
    kind: "half",
    events: [
      event("sync"),
      event("flagFile"),
      event("editFile", { script: 1 }),
      event("killedSync", { how: afterActs(2) }),
      event("flagFile", { how: 0 }),
      event("sync", { how: UNATTENDED }),
      event("sync", { how: UNATTENDED }),
    ],
  },
  {
    title: "a flag that a person sets in an older place is no proof that the place is older",
    guard: "flagsProveNothing",
    kind: "return",
    events: [
      event("sync"),
      event("flagFile", { how: 2 }),
      event("save"),
      event("sync"),
      event("flagFile"),
      event("reopen"),
      event("flagStudio", { how: 2 }),
      event("sync"),
    ],
  },
];

/** What `how` means to a sync: the first question is answered with Studio, and the second with the files. */
const FIRST_AS_STUDIO = 16;
/** To an undo: Studio keeps its part. */
const FILES_ONLY = 0;
/** What `how` means to a refused one: the first question is answered with the files, and the others are not. */
const FIRST_AS_FILES = 64;

export const STORIES: readonly Story[] = [
  ...GUARD_STORIES,
  {
    title: "Ctrl+Z of the very first push does not remove the files",
    events: [event("sync"), event("ctrlZ"), event("sync")],
  },
  {
    title: "a killed push to an older place is judged by what that place was made from",
    events: [
      event("sync"),
      event("reopen"),
      event("refusedSync", { how: 9 + afterActs(3) - 1, script: 1 }),
      event("sync"),
    ],
  },
  {
    title: "what a person chose to push stays open where Studio refuses it",
    events: [event("sync"), event("ctrlZ"), event("refusedSync", { how: FIRST_AS_FILES }), event("sync")],
  },
  {
    title: "the way back from a revision leads through those of its own place",
    events: [
      event("sync"),
      event("copyPlace", { how: 0 }),
      event("removeFile"),
      event("sync"),
      event("sync", { studio: 1 }),
      event("sync"),
      event("ctrlZ"),
      event("sync"),
    ],
  },
  {
    title: "a killed sync does not hide its push from Ctrl+Z after the next one",
    events: [event("killedSync", { how: afterActs(3) }), event("sync"), event("ctrlZ"), event("sync")],
  },
  {
    title: "an undo of what a person has undone already does not hide what else they have undone",
    events: [
      event("sync"),
      event("editFile"),
      event("sync"),
      event("ctrlZ"),
      event("ctrlZ"),
      event("undoSync"),
      event("sync"),
    ],
  },
  {
    title: "what was pulled after Ctrl+Z of a killed push stays open once the sync was taken back",
    events: [
      event("refusedSync", { how: 9 + afterActs(3) - 1 }),
      event("ctrlZ"),
      event("sync", { how: FIRST_AS_STUDIO }),
      event("undoSync"),
      event("sync"),
    ],
  },
  {
    title:
      "a pull that answered what was open, and brought what both sides once had, stays open once it was taken back",
    events: [
      event("sync"),
      event("editFile"),
      event("killedUndo", { how: afterActs(1) }),
      event("sync", { how: FIRST_AS_STUDIO }),
      event("undoSync", { how: FILES_ONLY }),
      event("sync"),
    ],
  },
  {
    title: "a pull of what an older place still had stays open once it was taken back",
    events: [
      event("sync"),
      event("removeStudio"),
      event("sync"),
      event("save"),
      event("undoSync"),
      event("sync"),
      event("reopen"),
      event("sync", { how: FIRST_AS_STUDIO }),
      event("undoSync"),
      event("sync"),
    ],
  },
  {
    title: "a removed file that an older place brought back is a question once that was taken back",
    events: [
      event("sync"),
      event("save"),
      event("removeFile"),
      event("undoSync"),
      event("sync"),
      event("reopen"),
      event("sync", { how: FIRST_AS_STUDIO }),
      event("undoSync"),
      event("sync"),
    ],
  },
];

const COMPILED = { script: 1 } as const;

/** Of a folder whose files only go to Studio. */
export const ONE_WAY_STORIES: readonly Story[] = [
  {
    title: "an edit of a compiled script gives way to its file, and comes back with an undo",
    events: [
      event("oneWay"),
      event("sync"),
      event("editStudio", COMPILED),
      event("flagStudio", COMPILED),
      event("sync"),
      event("undoSync"),
      event("sync"),
    ],
  },
  {
    title: "a compiled script that was removed in Studio is put back",
    events: [event("oneWay"), event("sync"), event("removeStudio", COMPILED), event("sync", { how: 0 })],
  },
  {
    title: "a compiled script of a killed push, whose file is gone since, is a question",
    events: [
      event("killedSync", { how: afterActs(3) }),
      event("removeFile", COMPILED),
      event("oneWay"),
      event("sync"),
    ],
  },
  {
    title: "a removal of a compiled script that was undone in Studio stays a question",
    events: [
      event("sync"),
      event("removeFile", COMPILED),
      event("sync"),
      event("ctrlZ"),
      event("oneWay"),
      event("editFile"),
      event("sync", { how: UNATTENDED }),
      event("sync", { how: UNATTENDED }),
    ],
  },
  {
    title: "an edited script goes with the file that the compiler no longer makes",
    events: [
      event("oneWay"),
      event("sync"),
      event("editStudio", COMPILED),
      event("removeFile", COMPILED),
      event("sync"),
      event("undoSync"),
    ],
  },
];
