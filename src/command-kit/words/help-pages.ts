/**
 * The pages of docs/ that `sb help NAME` shows, word for word. They are part of the binary, because its owner has no
 * checkout. Of links only the words are left; one to another of the pages names the command that shows it.
 */
interface Page {
  /** What it is about, in a few words. */
  readonly description: string;
  readonly readAsync: () => Promise<{ readonly default: string }>;
}

const pages: { readonly [name: string]: Page | undefined } = {
  check: {
    description: "How scripts are checked before they run",
    readAsync: () => import("../../../docs/check.md", { with: { type: "text" } }),
  },
  "first-hour": {
    description: "A story from an empty folder to a tested, synced place",
    readAsync: () => import("../../../docs/first-hour.md", { with: { type: "text" } }),
  },
  glossary: {
    description: "What the words mean that help and pages use",
    readAsync: () => import("../../../docs/glossary.md", { with: { type: "text" } }),
  },
  headless: {
    description: "What headless Studio is, and what it simulates",
    readAsync: () => import("../../../docs/headless.md", { with: { type: "text" } }),
  },
  install: {
    description: "How sb is installed, checked and removed",
    readAsync: () => import("../../../docs/install.md", { with: { type: "text" } }),
  },
  mcp: {
    description: "How coding agents use sb",
    readAsync: () => import("../../../docs/mcp.md", { with: { type: "text" } }),
  },
  panel: {
    description: "The panel in Studio, and what it allows",
    readAsync: () => import("../../../docs/panel.md", { with: { type: "text" } }),
  },
  pictures: {
    description: "Screenshots, and how they are compared",
    readAsync: () => import("../../../docs/pictures.md", { with: { type: "text" } }),
  },
  selftest: {
    description: "How assumptions about Studio are checked",
    readAsync: () => import("../../../docs/selftest.md", { with: { type: "text" } }),
  },
  "studio-tools": {
    description: "The commands that look into a place and change it",
    readAsync: () => import("../../../docs/studio-tools.md", { with: { type: "text" } }),
  },
  sync: {
    description: "How files and Studio are kept the same",
    readAsync: () => import("../../../docs/sync.md", { with: { type: "text" } }),
  },
  testing: {
    description: "How tests are written and run",
    readAsync: () => import("../../../docs/testing.md", { with: { type: "text" } }),
  },
  tools: {
    description: "sb.config.json, and tools of a project for agents",
    readAsync: () => import("../../../docs/tools.md", { with: { type: "text" } }),
  },
  ui: {
    description: "User interfaces: sizes, checks, input",
    readAsync: () => import("../../../docs/ui.md", { with: { type: "text" } }),
  },
  versions: {
    description: "What a version promises",
    readAsync: () => import("../../../docs/versions.md", { with: { type: "text" } }),
  },
};

/** Their names, and what they are about. */
export const helpPages = Object.entries(pages).flatMap(([name, page]) =>
  page === undefined ? [] : [{ name, description: page.description }],
);

/** Undefined for a name that no page has. */
export async function helpPageAsync(name: string): Promise<string | undefined> {
  const page = Object.hasOwn(pages, name) ? pages[name] : undefined;
  return page === undefined ? undefined : withoutFiles((await page.readAsync()).default);
}

/** The owner of a binary has none of the files that links lead to. Addresses stay. */
export function withoutFiles(markdown: string): string {
  return markdown
    .replace(/^<!--.*-->$\n?/gm, "")
    .replace(/!?\[([^\]]*)\]\(([^)\s]*)\)/g, (whole, words: string, target: string) => {
      if (/^https?:/.test(target)) return whole;
      const [, name = "", other] = /^(?:docs\/)?([\w-]+)\.md(?:#.*)?$|^(.*)$/.exec(target) ?? [];
      if (other !== undefined || !Object.hasOwn(pages, name)) return words.replace(/^([\w-]+)\.md$/, "$1");
      return words === `${name}.md` ? `\`sb help ${name}\`` : `${words} (\`sb help ${name}\`)`;
    })
    .trim();
}
