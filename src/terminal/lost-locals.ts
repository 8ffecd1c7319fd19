/** Notices where a line uses a local of an earlier one: a local ends with the text that it was typed in. */

const DECLARATION = /^local\s+(?:function\s+)?([A-Za-z_]\w*(?:\s*,\s*[A-Za-z_]\w*)*)/gm;
/** Texts in quotes and comments name nothing. */
const NO_CODE = /--[^\n]*|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'/g;

export class LostLocals {
  readonly #names = new Set<string>();

  /** The sentence about a text that has run; undefined where there is nothing to say. Each name is named once. */
  note(text: string): string | undefined {
    const code = text.replaceAll(NO_CODE, "");
    const own = declaredIn(code);
    const used = [...this.#names].filter((name) => !own.has(name) && uses(code, name));
    for (const name of used) this.#names.delete(name);
    for (const name of own) this.#names.add(name);
    const lost = used.find((name) => !assigns(code, name));
    return lost === undefined
      ? undefined
      : `${lost} was a local, which ended with its line. Type it again without local, and it stays.`;
  }
}

const declaredIn = (code: string): ReadonlySet<string> =>
  new Set(Array.from(code.matchAll(DECLARATION), ([, names = ""]) => names.split(/\s*,\s*/)).flat());

/** Not as a member, such as `part.name` and `{ name = 1 }`, which need no variable. */
const uses = (code: string, name: string): boolean => new RegExp(`(?<![\\w.:])${name}(?!\\w)`).test(code);

const assigns = (code: string, name: string): boolean =>
  new RegExp(`^\\s*(?:${name}\\s*=(?!=)|function\\s+${name}\\s*\\()`, "m").test(code);
