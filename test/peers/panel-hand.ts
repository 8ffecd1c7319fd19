/** The person at a headless Studio on this thread: reads the panel of its plugin, and presses its buttons. */
import type { HostEvent } from "../../src/headless/bytes/host-ops.ts";
import { untilAsync } from "../harness.ts";

const WIDGET = 'game:GetService("CoreGui").StudioBridgePanel';

interface WatchedStudio {
  /** Its edited place is asked. */
  readonly studio: { dispatch(event: HostEvent, number: number, payload: string): void };
  /** Every line of its Output. */
  readonly log: readonly string[];
}

export class PanelHand {
  readonly #of: WatchedStudio;

  constructor(of: WatchedStudio) {
    this.#of = of;
  }

  /** Runs Luau beside the plugin, with the panel as `widget`, and gives what it returns as one line. */
  async readAsync(luau: string): Promise<string> {
    const { studio, log } = this.#of;
    const tag = `<${crypto.randomUUID()}>`;
    const source = `local ok, said = pcall(function() local widget = ${WIDGET} ${luau} end)`;
    studio.dispatch("runSource", 0, `=look\0${source} print("${tag}" .. tostring(said))`);
    const line = await untilAsync("the panel is read", () => log.find((each) => each.includes(tag)));
    return line.slice(line.indexOf(tag) + tag.length);
  }

  /** Empty where the object is not shown. */
  textAsync(path: string): Promise<string> {
    return this.readAsync(`local o = widget.Panel.${path} return if o.Visible then o.Text else ""`);
  }

  async untilTextAsync(path: string, expected: RegExp): Promise<string> {
    let text = "";
    return untilAsync(`${path} says ${expected}`, async () => {
      text = await this.textAsync(path).catch(() => "");
      return expected.test(text) ? text : undefined;
    }).catch(() => {
      throw new Error(`${path} does not say ${expected}, but ${text}`);
    });
  }

  async openAsync(): Promise<void> {
    await this.readAsync(`widget.Enabled = true return ""`);
    await this.untilTextAsync("Status.State", /^(Connected|Looking|Not)/);
  }

  /** The name of what was pressed. */
  clickAsync(path: string): Promise<string> {
    return this.readAsync(
      `engine("./Classes/PluginGui").resize(widget, 320, 4000) local o = widget.Panel.${path}
      local at, size = o.AbsolutePosition, o.AbsoluteSize
      return tostring(engine("./Input/Widgets").click(widget, at.X + size.X / 2, at.Y + 10))`,
    );
  }

  /** Presses the button below `path` that bears the text, as soon as there is one that takes it. */
  pressAsync(path: string, text: string): Promise<true> {
    return untilAsync(`a button ${text} below ${path} is pressed`, () => this.#tryPressAsync(path, text));
  }

  async #tryPressAsync(path: string, text: string): Promise<true | undefined> {
    const pressed = await this.readAsync(
      `engine("./Classes/PluginGui").resize(widget, 320, 4000)
      for _, o in widget.Panel.${path}:GetDescendants() do
        if o:IsA("TextButton") and o.Text == "${text}" and o.Interactable then
          local at, size = o.AbsolutePosition, o.AbsoluteSize
          return tostring(engine("./Input/Widgets").click(widget, at.X + size.X / 2, at.Y + size.Y / 2) == o)
        end
      end`,
    );
    return pressed === "true" ? true : undefined;
  }

  /** Reads the question to its end, as far as it must be scrolled, and answers it. */
  async answerAsync(text: "Once" | "Always" | "No"): Promise<void> {
    await this.untilTextAsync("Question.Title", /./);
    // Where its contents change, it must be read again.
    await untilAsync(`${text} is pressed`, async () => {
      await this.readAsync(
        `local question = widget.Panel.Question
        question.Window.CanvasPosition = Vector2.new(0, question.Window.AbsoluteCanvasSize.Y)`,
      );
      return this.#tryPressAsync("Question.Answers", text);
    });
  }
}
