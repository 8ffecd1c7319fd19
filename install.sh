#!/bin/sh
# Builds sb from this checkout and installs it, with studio-bridge as a second name for it.
#
#   ./install.sh [--prefix DIR]      default: $HOME/.local, so $HOME/.local/bin/sb
#
# Needs git, Node >= 20 and npm. Replaces an older sb only when the new one has been built and runs.
set -eu

prefix=${HOME:?}/.local
while [ $# -gt 0 ]; do
	case $1 in
	--prefix)
		[ $# -ge 2 ] || { echo "error: --prefix needs a folder" >&2; exit 2; }
		prefix=$2
		shift 2
		;;
	--prefix=*)
		prefix=${1#--prefix=}
		shift
		;;
	-h | --help)
		sed -n '2,6s/^# \{0,1\}//p' "$0"
		exit 0
		;;
	*)
		echo "error: unknown option $1. See ./install.sh --help" >&2
		exit 2
		;;
	esac
done

cd "$(dirname "$0")"
command -v npm >/dev/null 2>&1 || { echo "error: npm is not installed. Install Node.js 20 or newer first." >&2; exit 1; }
npm run --silent build

bin=$prefix/bin
mkdir -p "$bin"
# A rename replaces a binary that is running; writing into it would fail.
cp dist/sb "$bin/.sb.new"
chmod 755 "$bin/.sb.new"
mv -f "$bin/.sb.new" "$bin/sb"
ln -sf sb "$bin/studio-bridge"
echo "installed $bin/sb ($("$bin/sb" --version))"

case ":$PATH:" in
*":$bin:"*) ;;
*) echo "note: $bin is not on your PATH. Add this to your shell's start file: export PATH=\"$bin:\$PATH\"" ;;
esac
