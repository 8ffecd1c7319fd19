/** Ctrl+C during `sb test`, through the compiled binary: finished cases are reported, and the reports say that they are incomplete. */
import { expect, test } from "bun:test";
import { join } from "node:path";
import { binaryPath } from "../../build.ts";
import { sandbox } from "../sandbox.ts";

const box = sandbox();

const textAsync = (name: string) => Bun.file(join(box.folder, name)).text();

test("after Ctrl+C, every report has the finished cases, names the running case, and says that it is incomplete; there is no coverage", async () => {
  await box.writeAsync("a.spec.luau", 'return { bad = function() error("no") end }');
  await box.writeAsync("b.spec.luau", 'return { endless = function() print("begun") while true do end end }');
  await box.writeAsync("c.spec.luau", "return { later = function() end }");
  await box.writeAsync("src/Cart.luau", "return {}");
  const tree = { $className: "DataModel", ReplicatedStorage: { Shop: { $path: "src" } } };
  await box.writeAsync("default.project.json", JSON.stringify({ name: "Shop", tree }));
  await box.writeAsync("coverage/lcov.info", "of a whole run");
  const reports = ["junit=out/r.xml", "blob=out/r.jsonl", "tap=out/r.tap"];
  const words = ["--workers", "1", "--timeout", "60s", ...reports.flatMap((word) => ["--reporter", word])];
  const child = Bun.spawn(
    [binaryPath, "test", ...words, "--reporter", "json", "--coverage", "lcov", "a.spec", "b.spec", "c.spec"],
    {
      cwd: box.folder,
      env: box.env({ CI: "" }),
      stdin: "ignore",
      stdout: "pipe",
      stderr: "pipe",
    },
  );
  const [seen, rest] = child.stdout.tee();
  const reader = seen.pipeThrough(new TextDecoderStream()).getReader();
  let text = "";
  while (!text.includes('"begun"') && !text.includes('"endless"')) text += (await reader.read()).value ?? "";
  await reader.cancel();
  child.kill("SIGINT");
  const [stdout, stderr, exitCode] = await Promise.all([
    new Response(rest).text(),
    new Response(child.stderr).text(),
    child.exited,
  ]);
  expect(stdout).not.toContain('"status":"failed","durationMs":0,"failure":{"message":"The test harness');
  expect(JSON.parse(stdout.trimEnd().split("\n").at(-1) ?? "")).toMatchObject({ ended: "interrupted" });
  expect(exitCode).toBe(130);
  expect(stderr).toContain("No coverage is reported, because the run ended early.\n");
  expect(await textAsync("coverage/lcov.info")).toBe("of a whole run");
  const reason = "Interrupted after 1 of 3 files, while b.spec.luau › endless ran.";
  expect(await textAsync("out/r.xml")).toContain(`<error message="${reason}" type="error"/>`);
  expect(await textAsync("out/r.xml")).toContain('failures="1" errors="1"');
  expect(await textAsync("out/r.tap")).toEndWith(`Bail out! ${reason}\n`);
  const merged = await box.localSbAsync(["test", "merge", "out/r.jsonl"]);
  expect(merged.stdout).toContain(` ${reason}\n`);
  expect(merged).toMatchObject({
    exitCode: 1,
    stderr: expect.stringContaining("ended early (interrupted)"),
  });
});
