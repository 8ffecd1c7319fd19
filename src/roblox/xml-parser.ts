/**
 * A small strict XML parser: elements, attributes, text and CDATA. Refuses document types, so that no entity beyond the
 * five of XML and character numbers exists, and refuses elements nested too deep. Elements are told as they begin and
 * end, so that a large document need never be in memory as a tree.
 */

export interface XmlElement {
  readonly name: string;
  /** Where its first tag begins. */
  readonly startAt: number;
  readonly attributes: ReadonlyMap<string, string>;
  readonly children: readonly XmlElement[];
  /** Text and CDATA directly inside, joined, up to the first child. */
  readonly text: string;
}

interface OpenElement {
  readonly name: string;
  readonly startAt: number;
  readonly attributes: ReadonlyMap<string, string>;
  children: OpenElement[];
  text: string;
}

/** Shared by the many elements that have none. */
const NO_ATTRIBUTES: ReadonlyMap<string, string> = new Map();
const NO_CHILDREN: OpenElement[] = [];

/** Each Instance is one level, and each of its values takes a few more. */
const MAX_DEPTH = 2100;
const ENTITIES: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'" };
const NAME = /[A-Za-z_:][\w:.-]*/y;
const ATTRIBUTE = /\s+([A-Za-z_:][\w:.-]*)\s*=\s*(?:"([^"<]*)"|'([^'<]*)')/y;
const TAG_END = /\s*(\/?)>/y;
const CLOSING = /<\/([A-Za-z_:][\w:.-]*)\s*>/y;
const MAX_CODE_POINT = 0x10_ffff;

export interface XmlListener {
  /** Takes the element that begins at `startAt` as a whole, unparsed, and gives its end; undefined to have it parsed. */
  take(startAt: number, path: readonly XmlElement[]): number | undefined;
  /** `path` are the elements around it, the root first. */
  begin(element: XmlElement, path: readonly XmlElement[]): void;
  /** It is complete, and ends at `endAt`. Without a true answer, the element around it forgets it. */
  end(element: XmlElement, path: readonly XmlElement[], endAt: number): boolean;
}

/** Throws an Error with the line of the first mistake, and what the listener throws. */
export function parseXml(source: string, listener: XmlListener): void {
  new Parser(source, listener).document();
}

/** One pass over one text. */
class Parser {
  readonly #source: string;
  readonly #listener: XmlListener;
  #at = 0;
  readonly #open: OpenElement[] = [];
  #hasRoot = false;

  constructor(source: string, listener: XmlListener) {
    this.#listener = listener;
    this.#source = source;
    // A byte order mark is no text.
    if (source.charCodeAt(0) === 0xfeff) this.#at = 1;
  }

  document(): void {
    while (this.#at < this.#source.length) {
      const next = this.#source.indexOf("<", this.#at);
      const end = next < 0 ? this.#source.length : next;
      if (end > this.#at) this.#addText(this.#decoded(this.#source.slice(this.#at, end)));
      this.#at = end;
      if (next >= 0) this.#markup();
    }
    if (this.#open.length > 0) this.#fail(`<${this.#open.at(-1)?.name}> is never closed`);
    if (!this.#hasRoot) this.#fail("there is no element");
  }

  #markup(): void {
    const startsWith = (text: string): boolean => this.#source.startsWith(text, this.#at);
    const next = this.#source[this.#at + 1];
    if (next === "/") this.#close();
    else if (next !== "!" && next !== "?") this.#begin();
    else if (startsWith("<![CDATA[")) this.#addText(this.#until("<![CDATA[", "]]>"));
    else if (startsWith("<!--")) this.#until("<!--", "-->");
    else if (startsWith("<?")) this.#until("<?", "?>");
    else this.#fail("document types are not allowed");
  }

  #until(start: string, end: string): string {
    const from = this.#at + start.length;
    const to = this.#source.indexOf(end, from);
    if (to < 0) this.#fail(`${start} is never closed`);
    this.#at = to + end.length;
    return this.#source.slice(from, to);
  }

  #begin(): void {
    const startAt = this.#at;
    const takenTo = this.#listener.take(startAt, this.#open);
    if (takenTo !== undefined) {
      this.#at = takenTo;
      const parent = this.#open.at(-1);
      if (parent?.children === NO_CHILDREN) parent.children = [];
      return;
    }
    this.#at += 1;
    const [name = this.#fail("a tag has no name")] = this.#match(NAME) ?? [];
    const attributes = this.#source[this.#at] === ">" ? NO_ATTRIBUTES : this.#attributes(name);
    const end = this.#match(TAG_END);
    if (end === null) this.#fail(`<${name}> is not a tag`);
    const element: OpenElement = { name, startAt, attributes, children: NO_CHILDREN, text: "" };
    this.#attach(element);
    this.#listener.begin(element, this.#open);
    if (end?.[1] === "/") return this.#end(element);
    this.#open.push(element);
    if (this.#open.length > MAX_DEPTH) this.#fail(`elements are nested more than ${MAX_DEPTH} deep`);
  }

  #attributes(element: string): ReadonlyMap<string, string> {
    const attributes = new Map<string, string>();
    for (let found = this.#match(ATTRIBUTE); found !== null; found = this.#match(ATTRIBUTE)) {
      const [, key = "", double, single] = found;
      if (attributes.has(key)) this.#fail(`<${element}> has two attributes ${key}`);
      attributes.set(key, this.#decoded(double ?? single ?? ""));
    }
    return attributes;
  }

  #attach(element: OpenElement): void {
    const parent = this.#open.at(-1);
    if (parent !== undefined && parent.children === NO_CHILDREN) parent.children = [element];
    else if (parent !== undefined) parent.children.push(element);
    else if (this.#hasRoot) this.#fail("there is more than one root element");
    this.#hasRoot = true;
  }

  #end(element: OpenElement): void {
    if (!this.#listener.end(element, this.#open, this.#at)) this.#open.at(-1)?.children.pop();
  }

  #close(): void {
    const name = this.#match(CLOSING)?.[1] ?? this.#fail("a closing tag is malformed");
    const element = this.#open.pop();
    if (element === undefined || element.name !== name)
      return this.#fail(`</${name}> closes what is not open`);
    this.#end(element);
  }

  #addText(text: string): void {
    const parent = this.#open.at(-1);
    // Between elements there is only layout.
    if (parent !== undefined && parent.children === NO_CHILDREN) parent.text += text;
    else if (parent !== undefined) return;
    else if (text.trim() !== "") this.#fail("there is text outside of the root element");
  }

  #decoded(text: string): string {
    return text.includes("&") ? decodeEntities(text, (why) => this.#fail(why)) : text;
  }

  #match(pattern: RegExp): RegExpExecArray | null {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.#source);
    if (found !== null) this.#at = pattern.lastIndex;
    return found;
  }

  #fail(why: string): never {
    const line = this.#source.slice(0, this.#at).split("\n").length;
    throw new Error(`not well-formed XML: ${why} (line ${line})`);
  }
}

function decodeEntities(text: string, fail: (why: string) => never): string {
  return text.replace(/&([^;&]{0,12});?/g, (whole, name: string) => {
    if (!whole.endsWith(";")) fail("& does not begin a character reference");
    const known = ENTITIES[name];
    if (known !== undefined) return known;
    const digits = /^#(?:(\d+)|x([\da-fA-F]+))$/.exec(name);
    const code =
      digits === null ? Number.NaN : Number.parseInt(digits[1] ?? digits[2] ?? "", digits[1] ? 10 : 16);
    if (!(code <= MAX_CODE_POINT)) fail(`&${name}; is not known`);
    return String.fromCodePoint(code);
  });
}
