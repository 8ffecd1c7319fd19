/** What a headless Studio does for scripts that use data stores, as `--data` and `--throttle` say it. */
export interface DataChoice {
  /** Where what scripts save is kept: MEMORY, or a folder. */
  readonly place: string;
  /** Scripts have as many requests as documented, and no more. */
  readonly isThrottled: boolean;
}

/** The place of data that lasts as long as its Studio. */
export const MEMORY = "memory";
