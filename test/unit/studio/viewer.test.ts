import { expect, test } from "bun:test";
import { viewerCommandAsync } from "../../../src/studio/viewer.ts";
import { linux, mac, windows, wsl } from "./tree-machine.ts";

const picture = "/home/ada/my & picture.png";

test("the user's viewer is asked for a file by its whole name", async () => {
  using onMac = mac();
  using onLinux = linux();
  expect(await viewerCommandAsync(picture, onMac)).toEqual(["open", picture]);
  expect(await viewerCommandAsync(picture, onLinux)).toEqual(["xdg-open", picture]);
});

test("Windows gets the name as it is, with nothing in between that reads it", async () => {
  using machine = windows();
  const path = "C:\\Users\\ada\\my & picture.png";
  expect(await viewerCommandAsync(path, machine)).toEqual(["explorer.exe", path]);
});

test("WSL shows the file in Windows", async () => {
  using machine = wsl();
  machine.answers.set("wslpath", "\\\\wsl$\\Debian\\home\\ada\\my & picture.png\n");
  expect(await viewerCommandAsync(picture, machine)).toEqual([
    "explorer.exe",
    "\\\\wsl$\\Debian\\home\\ada\\my & picture.png",
  ]);
});
