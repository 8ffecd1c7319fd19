/** The choice that `--data` and `--throttle` make: how a headless Studio emulates data stores. */
export interface DataChoice {
  /** MEMORY, or the folder that keeps the data. */
  readonly place: string;
  /** Scripts may make only as many requests as Roblox documents. */
  readonly isThrottled: boolean;
}

/** The data lasts only as long as its Studio. */
export const MEMORY = "memory";
