/** Checks of what a search through scripts is given. */
import { invalidInput } from "../protocol/messages.ts";

/** A pattern of several lines would match nothing, which an agent takes for an answer. */
export function checkOneLine(pattern: string): void {
  if (/[\r\n]/.test(pattern))
    throw invalidInput(
      "The pattern has a line break, and each line is searched by itself.",
      "Search for a part of one line; --context-lines shows the lines around it.",
    );
}

/** Only where no script is of the class, because Studio may be newer than the class data. */
export async function checkClassAsync(className: string): Promise<void> {
  const [{ loadClassApiAsync }, { unknownClasses, unknownClassText }] = await Promise.all([
    import("../headless/index.ts"),
    import("../find/selector-classes.ts"),
  ]);
  const [unknown] = unknownClasses(className, await loadClassApiAsync());
  if (unknown !== undefined)
    throw invalidInput(
      unknownClassText(unknown),
      "Scripts are of the class Script, LocalScript or ModuleScript.",
    );
}
