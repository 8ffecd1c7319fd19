/**
 * The events that scripts often wait for and that never fire in headless Studio, because nothing moves, no person
 * presses anything and nothing plays; and for each the words of `sb` that make it fire. The engine gets the names. A class that fires an event
 * counts as firing it, whatever this list says.
 */

interface Group {
  /** Commands and flags that make the events fire. Only those are told that this `sb` has. */
  readonly cures: readonly string[];
  /** The names of events by the class that has them. */
  readonly events: Readonly<Record<string, readonly string[]>>;
}

const GROUPS: readonly Group[] = [
  {
    cures: ["--walk", "sb input collide"],
    events: { BasePart: ["Touched", "TouchEnded"], Humanoid: ["Touched"] },
  },
  {
    cures: ["--walk"],
    events: {
      Humanoid: ["MoveToFinished", "Running", "Jumping", "FreeFalling"],
    },
  },
  {
    cures: [],
    events: {
      Humanoid: [
        "FallingDown",
        "GettingUp",
        "Climbing",
        "Swimming",
        "Strafing",
        "PlatformStanding",
        "Ragdoll",
      ],
      BodyPosition: ["ReachedTarget"],
      RocketPropulsion: ["ReachedTarget"],
      Path: ["Blocked", "Unblocked"],
      AnimationTrack: ["DidLoop", "KeyframeReached"],
      Sound: ["Ended", "DidLoop", "Loaded"],
      AudioPlayer: ["Ended", "Looped"],
      AudioTextToSpeech: ["Ended", "Looped"],
      VideoFrame: ["Ended", "DidLoop", "Loaded"],
      VideoPlayer: ["DidEnd", "DidLoop"],
      Player: ["Chatted"],
      TextChatCommand: ["Triggered"],
    },
  },
  {
    cures: ["sb input"],
    events: {
      GuiButton: [
        "Activated",
        "SecondaryActivated",
        "MouseButton1Click",
        "MouseButton1Down",
        "MouseButton1Up",
        "MouseButton2Click",
        "MouseButton2Down",
        "MouseButton2Up",
      ],
      GuiObject: [
        "InputBegan",
        "InputChanged",
        "InputEnded",
        "MouseEnter",
        "MouseLeave",
        "MouseMoved",
        "MouseWheelBackward",
        "MouseWheelForward",
        "SelectionGained",
        "SelectionLost",
        "TouchLongPress",
        "TouchPan",
        "TouchPinch",
        "TouchRotate",
        "TouchSwipe",
        "TouchTap",
        "DragBegin",
        "DragStopped",
      ],
      TextBox: ["Focused", "FocusLost", "ReturnPressedFromOnScreenKeyboard"],
      UserInputService: [
        "InputBegan",
        "InputChanged",
        "InputEnded",
        "JumpRequest",
        "LastInputTypeChanged",
        "PointerAction",
        "TextBoxFocused",
        "TextBoxFocusReleased",
        "TouchDrag",
        "TouchEnded",
        "TouchLongPress",
        "TouchMoved",
        "TouchPan",
        "TouchPinch",
        "TouchRotate",
        "TouchStarted",
        "TouchSwipe",
        "TouchTap",
        "TouchTapInWorld",
        "GamepadConnected",
        "GamepadDisconnected",
        "WindowFocused",
        "WindowFocusReleased",
      ],
      Mouse: [
        "Button1Down",
        "Button1Up",
        "Button2Down",
        "Button2Up",
        "Idle",
        "KeyDown",
        "KeyUp",
        "Move",
        "WheelBackward",
        "WheelForward",
      ],
      ClickDetector: ["MouseClick", "MouseHoverEnter", "MouseHoverLeave", "RightMouseClick"],
      DragDetector: ["DragStart", "DragContinue", "DragEnd"],
      UIDragDetector: ["DragStart", "DragContinue", "DragEnd"],
      ProximityPrompt: [
        "PromptShown",
        "PromptHidden",
        "PromptButtonHoldBegan",
        "PromptButtonHoldEnded",
        "Triggered",
        "TriggerEnded",
      ],
      ProximityPromptService: [
        "PromptShown",
        "PromptHidden",
        "PromptButtonHoldBegan",
        "PromptButtonHoldEnded",
        "PromptTriggered",
        "PromptTriggerEnded",
      ],
      HandleAdornment: ["MouseButton1Down", "MouseButton1Up", "MouseEnter", "MouseLeave"],
      Handles: ["MouseButton1Down", "MouseButton1Up", "MouseDrag", "MouseEnter", "MouseLeave"],
      ArcHandles: ["MouseButton1Down", "MouseButton1Up", "MouseDrag", "MouseEnter", "MouseLeave"],
      Dialog: ["DialogChoiceSelected"],
    },
  },
];

/** The cures of each event, as `BasePart.Touched`. */
export const NEVER_FIRES: ReadonlyMap<string, readonly string[]> = new Map(
  GROUPS.flatMap(({ cures, events }) =>
    Object.entries(events).flatMap(([className, names]) =>
      names.map((name) => [`${className}.${name}`, cures] as const),
    ),
  ),
);
