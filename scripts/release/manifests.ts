/** What Homebrew and Scoop read to install a release: where each archive is, and its hash. */
import { archiveName, executableName, targetNamed } from "./targets.ts";
import type { Target } from "./targets.ts";

export interface Release {
  /** The page of the project; its releases are below it. */
  readonly home: string;
  readonly version: string;
  /** Of each file by its name, as in SHA256SUMS. */
  readonly checksums: ReadonlyMap<string, string>;
}

const DESCRIPTION = "Drive Roblox Studio, or a headless one, from the command line";

function archiveOf({ home, version, checksums }: Release, target: Target): { url: string; hash: string } {
  const name = archiveName(target, version);
  const hash = checksums.get(name);
  if (hash === undefined) throw new Error(`SHA256SUMS has no ${name}`);
  return { url: `${home}/releases/download/v${version}/${name}`, hash };
}

/** The formula of a tap, `studio-bridge.rb`. */
export function homebrewFormula(release: Release): string {
  const block = (system: string, processors: readonly [string, string][]) => [
    `  on_${system} do`,
    ...processors.flatMap(([processor, name]) => {
      const { url, hash } = archiveOf(release, targetNamed(name));
      return [`    on_${processor} do`, `      url "${url}"`, `      sha256 "${hash}"`, "    end"];
    }),
    "  end",
  ];
  return `${[
    "class StudioBridge < Formula",
    `  desc "${DESCRIPTION}"`,
    `  homepage "${release.home}"`,
    `  version "${release.version}"`,
    '  license "MIT"',
    "",
    ...block("macos", [
      ["arm", "macos-aarch64"],
      ["intel", "macos-x86_64"],
    ]),
    "",
    ...block("linux", [
      ["arm", "linux-aarch64-gnu"],
      ["intel", "linux-x86_64-gnu"],
    ]),
    "",
    "  def install",
    '    bin.install "sb"',
    '    bin.install_symlink "sb" => "studio-bridge"',
    '    generate_completions_from_executable(bin/"sb", "completion")',
    "  end",
    "",
    "  test do",
    '    assert_equal version.to_s, shell_output("#{bin}/sb --version").strip',
    '    (testpath/"answer.luau").write "print(6 * 7)"',
    '    assert_match "42", shell_output("#{bin}/sb run --headless answer.luau")',
    "  end",
    "end",
  ].join("\n")}\n`;
}

/** The manifest of a bucket, `studio-bridge.json`. */
export function scoopManifest(release: Release): string {
  const windows = { "64bit": targetNamed("windows-x86_64"), arm64: targetNamed("windows-aarch64") };
  const forEach = <T>(make: (target: Target) => T) =>
    Object.fromEntries(Object.entries(windows).map(([processor, target]) => [processor, make(target)]));
  const executable = executableName(windows["64bit"]);
  const manifest = {
    version: release.version,
    description: DESCRIPTION,
    homepage: release.home,
    license: "MIT",
    architecture: forEach((target) => archiveOf(release, target)),
    bin: [executable, [executable, "studio-bridge"]],
    checkver: "github",
    autoupdate: {
      architecture: forEach((target) => ({
        url: `${release.home}/releases/download/v$version/${archiveName(target, "$version")}`,
      })),
      hash: { url: "$baseurl/SHA256SUMS" },
    },
  };
  return `${JSON.stringify(manifest, null, 2)}\n`;
}
