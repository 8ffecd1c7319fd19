/** The next step of a command for which a Studio that ends with it makes no sense. */
export const OPEN_LASTING_STUDIO =
  "Open Studio with the plugin installed, or start one with `sb headless --detach`.";
