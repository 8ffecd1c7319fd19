/** The conformance cases of command templates, read from the golden file; the file says how each is to be read. */
import { join } from "node:path";
import * as z from "zod";

const jsonObject = z.record(z.string(), z.unknown());
const renderCase = z.object({
  argv: z.array(z.string()).optional(),
  error: z.string().optional(),
});

const templateCase = z.object({
  id: z.string(),
  template: z.array(z.string()),
  error: z.string().optional(),
  toolName: z.string().optional(),
  title: z.string().optional(),
  description: z.string().optional(),
  fields: z.array(jsonObject).optional(),
  renders: z.array(renderCase).default([]),
});

const shellWordsCase = z.object({
  id: z.string(),
  line: z.string(),
  argv: z.array(z.string()).optional(),
  error: z.string().optional(),
});

const execCase = z.object({
  id: z.string(),
  template: z.array(z.string()),
  input: jsonObject.optional(),
  inputs: z.array(jsonObject).optional(),
  isError: z.boolean().optional(),
  text: z.string().optional(),
  textContains: z.array(z.string()).optional(),
  timeoutMs: z.number().optional(),
  cancel: z.boolean().optional(),
  env: z.record(z.string(), z.string()).optional(),
});
export type ExecCase = z.output<typeof execCase>;

const cliCase = z.object({
  id: z.string(),
  args: z.array(z.string()),
  result: z
    .object({ debug: z.boolean(), log: z.string().nullable(), command: z.array(z.string()) })
    .optional(),
  exit: z.number().optional(),
  stderr: z.string().optional(),
  stdout: z.string().optional(),
});

const path = join(import.meta.dir, "../../golden/template-cases.json");
const raw = await Bun.file(path).json();

/** `input` and `schema` are taken as they stand: zod would lose a parameter called `__proto__`. */
export const templateCases = z
  .array(templateCase)
  .parse(raw.cases)
  .map((each, index) => ({
    ...each,
    schema: raw.cases[index].schema,
    renders: each.renders.map((render, at) => ({ ...render, input: raw.cases[index].renders[at].input })),
  }));
export const shellWordsCases = z.array(shellWordsCase).parse(raw.shellwords);
export const execCases = z.array(execCase).parse(raw.exec);
export const cliCases = z.array(cliCase).parse(raw.cli);
