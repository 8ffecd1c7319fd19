/** Checks of the actions that run, compile or complete scripts. */
import type { ActionRequest } from "../protocol/actions.ts";
import { StudioBridgeError } from "../protocol/errors.ts";
import { type BridgeCheck, isStudioGone } from "./bridge-check.ts";
import { type CheckedStudio, NO_STEP } from "./checked-studio.ts";
import { allOf, isTrue, sameAs, type Verdict } from "./findings.ts";
import valuesProgram from "./values.luau" with { type: "text" };
import { sentValues } from "./sent-values.ts";

const LARGE_LINES = 10_000;
const LARGE_LINE_CHARS = 1_000;

/** Runs a script that is expected to fail, or whose output is checked. */
const executeAsync = (
  studio: CheckedStudio,
  script: string,
  request: Omit<ActionRequest<"execute">, "script"> = {},
  options: Parameters<CheckedStudio["callAsync"]>[2] = {},
) => studio.callAsync("execute", { ...request, script: script + NO_STEP }, options);

async function linesAsync(studio: CheckedStudio, script: string): Promise<readonly string[]> {
  const lines: string[] = [];
  const result = await executeAsync(
    studio,
    script,
    {},
    {
      onOutput: (messages) => lines.push(...messages.map(({ level, body }) => `${level} ${body}`)),
    },
  );
  return result.success ? lines : [...lines, `failed: ${result.error}`];
}

/** The error code of a script that is stopped from outside. */
async function endCodeAsync(
  studio: CheckedStudio,
  script: string,
  options: Parameters<CheckedStudio["callAsync"]>[2],
): Promise<string | undefined> {
  try {
    return (await executeAsync(studio, script, {}, options)).errorInfo?.code;
  } catch (error) {
    if (studio.signal.aborted || isStudioGone(error) || !(error instanceof StudioBridgeError)) throw error;
    return error.code;
  }
}

async function cancelledAsync(studio: CheckedStudio): Promise<Verdict> {
  const giveUp = new AbortController();
  const startedMs = performance.now();
  const code = await endCodeAsync(studio, 'print("runs") task.wait(30)', {
    signal: AbortSignal.any([giveUp.signal, studio.signal]),
    onOutput: () => giveUp.abort(),
  });
  return allOf(
    sameAs(code, "CANCELLED"),
    isTrue(performance.now() - startedMs < 10_000, "it was stopped only after 10 s"),
    sameAs(await studio.runAsync("return 1"), [1]),
  );
}

export const scriptChecks: readonly BridgeCheck[] = [
  {
    action: "execute",
    name: "gives values of every datatype back",
    runAsync: async (studio) => {
      const [values] = await studio.runAsync(valuesProgram);
      return sameAs(values, sentValues);
    },
  },
  {
    action: "execute",
    name: "gives arguments, variables and input to the script",
    runAsync: async (studio) =>
      sameAs(
        await studio.runAsync("local a, b = ... return a, b, sb.env.NAME, sb.input", {
          args: ["--flag", ""],
          variables: ["NAME=a=b"],
          input: "zażółć\n",
        }),
        ["--flag", "", "a=b", "zażółć\n"],
      ),
  },
  {
    action: "execute",
    name: "tells lines with their levels in order",
    runAsync: async (studio) =>
      sameAs(await linesAsync(studio, 'print("one", 2) warn("two") print("zażółć 🎮")'), [
        "Print one 2",
        "Warning two",
        "Print zażółć 🎮",
      ]),
  },
  {
    action: "execute",
    name: "tells the lines of deferred threads",
    runAsync: async (studio) =>
      sameAs(await linesAsync(studio, 'task.defer(print, "later") print("now")'), [
        "Print now",
        "Print later",
      ]),
  },
  {
    action: "execute",
    name: "names the line of an error",
    runAsync: async (studio) => {
      const {
        success,
        error = "",
        errorInfo,
      } = await executeAsync(studio, '\n\nerror("broken")\n', {
        chunkName: "check.luau",
      });
      return allOf(
        sameAs(
          { success, code: errorInfo?.code, line: errorInfo?.line },
          {
            success: false,
            code: "SCRIPT_RUNTIME_ERROR",
            line: 3,
          },
        ),
        sameAs(error, "check.luau:3: broken"),
      );
    },
  },
  {
    action: "execute",
    name: "names the line of an error of the engine",
    runAsync: async (studio) => {
      const { errorInfo } = await executeAsync(
        studio,
        "\nlocal part = Instance.new('Part')\npart.NoSuchMember = 1\n",
      );
      return sameAs(errorInfo?.line, 3);
    },
  },
  {
    action: "execute",
    name: "names the line that does not compile",
    runAsync: async (studio) => {
      const { errorInfo } = await executeAsync(studio, "local a\nreturn = 1");
      return sameAs({ code: errorInfo?.code, line: errorInfo?.line }, { code: "SCRIPT_LOAD_ERROR", line: 2 });
    },
  },
  { action: "execute", name: "is cancelled while it waits", runAsync: cancelledAsync },
  {
    action: "execute",
    name: "ends a script that waits too long",
    runAsync: async (studio) => {
      return sameAs(await endCodeAsync(studio, "task.wait(30)", { timeoutMs: 500 }), "TIMEOUT");
    },
  },
  {
    action: "execute",
    name: "ends a script that never yields",
    runAsync: async (studio) => {
      const startedMs = performance.now();
      const script = "local startedAt = os.clock() while os.clock() - startedAt < 5 do end";
      const code = await endCodeAsync(studio, script, { timeoutMs: 500 });
      return allOf(
        sameAs(code, "TIMEOUT"),
        isTrue(performance.now() - startedMs < 4_000, "it was stopped only after 4 s"),
      );
    },
  },
  {
    action: "execute",
    name: "passes 10 MB of output on",
    runAsync: async (studio) => {
      let lines = 0;
      let chars = 0;
      const script = `local text = string.rep("x", ${LARGE_LINE_CHARS}) for _ = 1, ${LARGE_LINES} do print(text) end`;
      const { success } = await executeAsync(
        studio,
        script,
        {},
        {
          onOutput: (messages) => {
            lines += messages.length;
            for (const { body } of messages) chars += body.length;
          },
        },
      );
      return sameAs(
        { success, lines, chars },
        {
          success: true,
          lines: LARGE_LINES,
          chars: LARGE_LINES * LARGE_LINE_CHARS,
        },
      );
    },
  },
  {
    action: "provideInput",
    name: "gives a script the lines that it asks for",
    runAsync: async (studio) => {
      const pieces = ["first\nsec", "ond\n"];
      return sameAs(
        await studio.runAsync(
          "return sb.readLine(), sb.readLine(), sb.readLine()",
          {},
          {
            nextInputAsync: async () => {
              const text = pieces.shift() ?? "";
              return { text, isLast: pieces.length === 0 };
            },
          },
        ),
        ["first", "second", { type: "nil" }],
      );
    },
  },
  {
    action: "runInGame",
    name: "is refused where no game runs",
    runAsync: async (studio) => {
      const code = await studio.callAsync("runInGame", { script: "return 1" }).then(
        () => "it ran",
        (error: unknown) => (error instanceof StudioBridgeError ? error.code : String(error)),
      );
      return sameAs(code, "CONTEXT_UNAVAILABLE");
    },
  },
  {
    action: "tryScript",
    name: "shows what a script changes, and takes it back",
    runAsync: async (studio) => {
      const script = `local folder = game.ServerStorage["${studio.scratchName}"] folder:SetAttribute("Tried", 1) Instance.new("Folder", folder).Name = "Tried"`;
      const { success, diff } = await studio.callAsync("tryScript", { script });
      const left = await studio.runAsync(
        `local folder = game.ServerStorage["${studio.scratchName}"] return folder:GetAttribute("Tried") == nil, folder:FindFirstChild("Tried") == nil`,
      );
      return allOf(
        sameAs([success, diff.map(({ change }) => change).sort()], [true, ["added", "changed"]]),
        sameAs(left, [true, true]),
      );
    },
  },
  {
    action: "checkSources",
    name: "finds the sources that do not compile",
    runAsync: async (studio) => {
      const { isChecked, faults } = await studio.callAsync("checkSources", {
        sources: ["return 1", "return = 1"],
      });
      return sameAs(
        [isChecked, faults.map(({ index, line }) => ({ index, line }))],
        [true, [{ index: 1, line: 1 }]],
      );
    },
  },
  {
    action: "complete",
    name: "completes names of Instances, members and libraries",
    runAsync: async (studio) => {
      const askedAsync = async (text: string) => (await studio.callAsync("complete", { text })).candidates;
      return allOf(
        sameAs(await askedAsync("math.flo"), ["floor"]),
        isTrue(
          (await askedAsync("workspace:FindFirstChildW")).includes("FindFirstChildWhichIsA"),
          "a method is missing",
        ),
        isTrue((await askedAsync("game.ServerStor")).includes("ServerStorage"), "a service is missing"),
      );
    },
  },
];
