#!/bin/sh
# Installs sb, the command of studio-bridge, for this user; the same again updates it.
#
#   curl -fsSL ADDRESS/install.sh | sh -s -- [OPTION …]        or ./install.sh --from-source in a checkout
#
# print_help lists the options. It needs curl or wget, tar, gzip, and sha256sum, shasum or openssl; xz makes the download
# smaller. Nothing changes until the new sb has been downloaded, compared with its checksum, and run.
set -eu
unset CDPATH

# The page of the project, as in src/version.ts.
home=''

main() {
	version=
	dir=
	action=install
	modifies_path=yes
	while [ $# -gt 0 ]; do
		case $1 in
		--version | --dir | --prefix)
			[ $# -ge 2 ] || wrong_usage "$1 needs a value"
			set_option "$1" "$2"
			shift
			;;
		--version=* | --dir=* | --prefix=*) set_option "${1%%=*}" "${1#*=}" ;;
		--no-modify-path) modifies_path=no ;;
		--uninstall) action=uninstall ;;
		--from-source) action=build ;;
		-h | --help)
			print_help
			return
			;;
		*) wrong_usage "unknown option $1" ;;
		esac
		shift
	done
	choose_folder
	case $action in
	uninstall) uninstall ;;
	build) install_from_source ;;
	install) install_release ;;
	esac
}

set_option() {
	[ -n "$2" ] || wrong_usage "$1 needs a value"
	case $1 in
	--version)
		version=${2#v}
		case $version in *[!0-9A-Za-z.+-]*) wrong_usage "\"$2\" is not a version" ;; esac
		;;
	--dir) dir=$2 ;;
	--prefix) dir=$2/bin ;;
	esac
}

choose_folder() {
	if [ -z "$dir" ]; then
		[ -n "${HOME:-}" ] || die "HOME is not set. Say with --dir DIR where sb goes."
		dir=$HOME/.local/bin
	fi
	case $dir in /*) ;; *) dir=$PWD/$dir ;; esac
	[ "$dir" = / ] || dir=${dir%/}
}

# --- a release ---------------------------------------------------------------------------------

install_release() {
	choose_base
	detect_system
	check_tools
	open_folder
	fetch "$base/SHA256SUMS" "$work/SHA256SUMS" || die "$base/SHA256SUMS could not be downloaded. Check the network${version:+, and that $version is a release}."
	choose_archive
	say "downloading studio-bridge $version for $system, about 50 MB"
	fetch "$base/$archive" "$work/$archive" shown || die "$base/$archive could not be downloaded. Check the network, and that $dir has room."
	found=$(sha256 "$work/$archive")
	[ "$found" = "$checksum" ] || die "$archive is damaged: its SHA-256 is $found, not $checksum. Try again."
	unpack || die "$archive could not be unpacked. Is there room in $dir?"
	put_in_place
}

# Before anything is downloaded, so that a slow network is not waited for in vain.
check_tools() {
	for tool in tar gzip mktemp; do
		command -v $tool >/dev/null 2>&1 || die "$tool is needed."
	done
	command -v curl >/dev/null 2>&1 || command -v wget >/dev/null 2>&1 || die "curl or wget is needed."
	sha256 /dev/null >/dev/null
}

unpack() {
	case $archive in
	*.xz) (cd "$work" && xz -dc "$archive" >sb.tar && tar -xf sb.tar sb) ;;
	*) (cd "$work" && tar -xzf "$archive" sb) ;;
	esac
}

choose_base() {
	base=${SB_INSTALL_BASE_URL:-}
	if [ -z "$base" ]; then
		[ -n "$home" ] || die "this build has no home to download from. Set SB_INSTALL_BASE_URL to a folder with a release, or run ./install.sh --from-source in a checkout."
		if [ -n "$version" ]; then base=$home/releases/download/v$version; else base=$home/releases/latest/download; fi
	fi
	base=${base%/}
	case $base in
	https://?*) is_local=no ;;
	http://*)
		is_this_machine "${base#http://}" || die "$base is not safe: SB_INSTALL_BASE_URL must be https, or http on this machine (http://127.0.0.1:PORT)."
		is_local=yes
		;;
	*) die "SB_INSTALL_BASE_URL must be an https address, not $base." ;;
	esac
}

# The host must be a loopback address as it stands: with a user in front it could be any other host.
is_this_machine() {
	host=${1%%/*}
	case $host in
	127.0.0.1 | localhost | '[::1]') return 0 ;;
	127.0.0.1:*) port=${host#127.0.0.1:} ;;
	localhost:*) port=${host#localhost:} ;;
	'[::1]:'*) port=${host#'[::1]:'} ;;
	*) return 1 ;;
	esac
	case $port in '' | *[!0-9]*) return 1 ;; esac
}

# The line of SHA256SUMS that fits this system names the archive, and with it the version. Not every release has xz.
choose_archive() {
	line=
	if command -v xz >/dev/null 2>&1; then find_archive xz; fi
	[ -n "$line" ] || find_archive gz
	[ -n "$line" ] || die "$base has no sb for $system."
	# shellcheck disable=SC2086 # Split on purpose: none of the three has a space.
	set -- $line
	[ $# -eq 3 ] || die "$base/SHA256SUMS names more than one sb for $system."
	[ "${version:-$3}" = "$3" ] || die "$base has version $3, not $version."
	checksum=$1
	archive=$2
	version=$3
}

find_archive() {
	line=$(sed -n "s/^\([0-9a-f]\{64\}\) [ *]\(studio-bridge-\([0-9A-Za-z.+-]*\)-$system\.tar\.$1\)\$/\1 \2 \3/p" "$work/SHA256SUMS")
}

# A server that cannot be reached, or that sends next to nothing for half a minute, is given up. With a third word, the
# progress is shown on a terminal.
fetch() {
	show=-s
	if [ -n "${3:-}" ] && [ -t 2 ]; then show=-#; fi
	if command -v curl >/dev/null 2>&1; then
		# Of two schemes only the one that was asked for, so that no redirect leads to plain http.
		if [ $is_local = yes ]; then
			curl -fSg "$show" --connect-timeout 20 --speed-limit 1000 --speed-time 30 --proto '=http' --noproxy '*' -o "$2" "$1"
		else
			curl -fSLg "$show" --connect-timeout 20 --speed-limit 1000 --speed-time 30 --proto '=https' --retry 3 -o "$2" "$1"
		fi
	elif command -v wget >/dev/null 2>&1; then
		# It cannot be told which schemes a redirect may have; therefore curl comes first.
		wget -q -T 30 -O "$2" "$1"
	else
		die "curl or wget is needed."
	fi
}

sha256() {
	if command -v sha256sum >/dev/null 2>&1; then
		sha256sum "$1" | cut -d' ' -f1
	elif command -v shasum >/dev/null 2>&1; then
		shasum -a 256 "$1" | cut -d' ' -f1
	elif command -v openssl >/dev/null 2>&1; then
		openssl dgst -sha256 -r "$1" | cut -d' ' -f1
	else
		die "sha256sum, shasum or openssl is needed to check the download."
	fi
}

# --- which system ------------------------------------------------------------------------------

detect_system() {
	os=$(uname -s)
	case $(uname -m) in
	x86_64 | x86-64 | x64 | amd64) architecture=x86_64 ;;
	aarch64 | arm64) architecture=aarch64 ;;
	*) die "there is no sb for $(uname -m) processors." ;;
	esac
	case $os in
	Linux) detect_linux ;;
	Darwin) detect_macos ;;
	MINGW* | MSYS* | CYGWIN* | Windows_NT) die "this is for Linux and macOS. On Windows run install.ps1 in PowerShell." ;;
	*) die "there is no sb for $os." ;;
	esac
}

detect_linux() {
	[ "$(uname -o 2>/dev/null || true)" != Android ] || die "there is no sb for Android."
	# A 64-bit kernel can have programs of 32 bits only.
	[ "$(getconf LONG_BIT 2>/dev/null || echo 64)" = 64 ] || die "there is no sb for systems of 32 bits."
	if [ $architecture = x86_64 ] && [ -r /proc/cpuinfo ] && ! grep -qw sse4_2 /proc/cpuinfo; then
		die "this processor is too old for sb: it lacks SSE4.2."
	fi
	if is_musl; then system=linux-$architecture-musl; else system=linux-$architecture-gnu; fi
}

# ldd says so on both; where there is none, the loader of glibc tells.
is_musl() {
	case $(ldd --version 2>&1 || true) in
	*musl*) return 0 ;;
	*GNU* | *GLIBC*) return 1 ;;
	esac
	[ ! -e /lib64/ld-linux-x86-64.so.2 ] && [ ! -e /lib/ld-linux-aarch64.so.1 ]
}

detect_macos() {
	# Under Rosetta, a shell on Apple silicon says x86_64.
	if [ "$(sysctl -n sysctl.proc_translated 2>/dev/null || true)" = 1 ]; then architecture=aarch64; fi
	macos=$(sw_vers -productVersion 2>/dev/null || echo 13)
	[ "${macos%%.*}" -ge 13 ] || die "sb needs macOS 13 or newer; this is $macos."
	system=macos-$architecture
}

# --- putting sb in its place -------------------------------------------------------------------

# The new sb is made beside the old one, so that a rename puts it in place.
open_folder() {
	if [ -d "$dir/sb" ]; then die "$dir/sb is a folder. Choose another place with --dir DIR."; fi
	if [ -e "$dir/sb" ] && ! is_ours; then die "$dir/sb is another program. Choose another place with --dir DIR."; fi
	mkdir -p "$dir" 2>/dev/null || die "$dir cannot be made. Choose another place with --dir DIR."
	sweep +0
	work=$(mktemp -d "$dir/.sb-install.XXXXXX" 2>/dev/null) || die "$dir cannot be written to. Choose another place with --dir DIR."
	trap 'rm -rf "$work"' EXIT
	trap 'exit 129' HUP
	trap 'exit 130' INT
	trap 'exit 143' TERM
}

# What a killed installer left. `find` counts its age in days, so that the folder of one that runs now stays.
sweep() {
	for left in "$dir"/.sb-install.*; do
		if [ -d "$left" ] && [ -n "$(find "$left" -prune ${1:+-mtime "$1"} 2>/dev/null)" ]; then rm -rf "$left"; fi
	done
}

is_ours() { grep -q studio-bridge "$dir/sb"; }

put_in_place() {
	if [ ! -f "$work/sb" ] || [ -L "$work/sb" ]; then die "the archive has no sb."; fi
	chmod 755 "$work/sb"
	said=$("$work/sb" --version 2>&1 </dev/null) || explain_failure
	[ "$said" = "$version" ] || die "the new sb says that it is $said, not $version."
	# A rename replaces a program that runs; writing into it would fail.
	mv -f "$work/sb" "$dir/sb" || die "$dir/sb cannot be replaced."
	if [ ! -e "$dir/studio-bridge" ] && [ ! -L "$dir/studio-bridge" ]; then ln -s sb "$dir/studio-bridge"; fi
	say "installed $dir/sb ($version)"
	if is_on_path; then warn_of_another; else add_to_path; fi
}

explain_failure() {
	case $said in
	*libstdc++*) die "sb needs libstdc++ here. Install it (apk add libstdc++), then try again." ;;
	'') die "the new sb does not run here${system:+ ($system)}. With musl it needs version 1.2.4 or newer, as in Alpine 3.18." ;;
	*) die "the new sb does not run here: $said" ;;
	esac
}

install_from_source() {
	checkout=$(dirname "$0")
	[ -f "$checkout/scripts/bootstrap.mjs" ] || die "--from-source builds the checkout that install.sh is in. Clone the project, then run ./install.sh --from-source there."
	command -v npm >/dev/null 2>&1 || die "npm is not installed. Install Node.js 20 or newer first."
	open_folder
	(cd "$checkout" && npm run --silent build)
	cp "$checkout/dist/sb" "$work/sb"
	version=$("$work/sb" --version)
	put_in_place
}

# --- PATH --------------------------------------------------------------------------------------

is_on_path() { case ":$PATH:" in *":$dir:"*) return 0 ;; *) return 1 ;; esac }

# Another sb whose folder comes first on PATH is the one that runs.
warn_of_another() {
	rest=$PATH:
	while [ -n "$rest" ]; do
		folder=${rest%%:*}
		rest=${rest#*:}
		if [ "$(cd "$folder" 2>/dev/null && pwd -P)" = "$(cd "$dir" && pwd -P)" ]; then return; fi
		if [ -f "$folder/sb" ] && [ -x "$folder/sb" ]; then
			say "warning: $folder/sb comes first on your PATH, so that \"sb\" runs that one. Remove it, or put $dir before $folder."
			return
		fi
	done
}

add_to_path() {
	if [ -n "${GITHUB_PATH:-}" ]; then
		echo "$dir" >>"$GITHUB_PATH"
		return
	fi
	shown=$dir
	if [ -n "${HOME:-}" ]; then case $dir in "$HOME"/*) shown="\$HOME/${dir#"$HOME"/}" ;; esac fi
	choose_start_file
	case $start_file in
	# Without --path, fish would keep it in a variable of its own, which stays when this line goes.
	*.fish) line="fish_add_path --path \"$shown\"" ;;
	*) line="export PATH=\"$shown:\$PATH\"" ;;
	esac
	# In a start file, these characters would have a meaning of their own.
	case $dir in *[\"\$\`\\:]* | *'
'*) modifies_path=no ;; esac
	if [ $modifies_path = no ] || [ -z "${HOME:-}" ] || ! add_line; then
		say "note: $dir is not on your PATH. Add this to your shell's start file: $line"
		return
	fi
	say "added $dir to your PATH in $start_file. Open a new shell, or run: $line"
}

choose_start_file() {
	case ${SHELL:-} in
	*/zsh) start_file=${ZDOTDIR:-${HOME:-}}/.zshrc ;;
	*/fish) start_file=${XDG_CONFIG_HOME:-${HOME:-}/.config}/fish/conf.d/studio-bridge.fish ;;
	*/bash) if [ "$(uname -s)" = Darwin ]; then choose_login_file; else start_file=${HOME:-}/.bashrc; fi ;;
	*) start_file=${HOME:-}/.profile ;;
	esac
}

# Terminals on macOS start login shells. A login bash reads the first of these files, so that a new one would hide the others.
choose_login_file() {
	for start_file in "${HOME:-}/.bash_profile" "${HOME:-}/.bash_login" "${HOME:-}/.profile"; do
		if [ -e "$start_file" ]; then return; fi
	done
}

add_line() {
	mkdir -p "$(dirname "$start_file")" 2>/dev/null || return 1
	if grep -qsF "$line # studio-bridge" "$start_file"; then return 0; fi
	if [ -s "$start_file" ] && [ -n "$(tail -c 1 "$start_file")" ]; then line_break='
'; else line_break=; fi
	printf '%s%s # studio-bridge\n' "$line_break" "$line" 2>/dev/null >>"$start_file"
}

uninstall() {
	if [ -f "$dir/sb" ] && is_ours; then
		rm -f "$dir/sb" || die "$dir/sb cannot be removed."
		say "removed $dir/sb"
	else
		say "there is no sb of studio-bridge in $dir"
	fi
	sweep ''
	if [ "$(readlink "$dir/studio-bridge" 2>/dev/null || true)" = sb ]; then rm -f "$dir/studio-bridge"; fi
	[ -n "${HOME:-}" ] || return 0
	rm -f "${XDG_CONFIG_HOME:-$HOME/.config}/fish/conf.d/studio-bridge.fish"
	for file in "${ZDOTDIR:-$HOME}/.zshrc" "$HOME/.bashrc" "$HOME/.bash_profile" "$HOME/.bash_login" "$HOME/.profile"; do
		if grep -qs '# studio-bridge$' "$file"; then remove_line "$file"; fi
	done
	case $(uname -s) in Darwin) state="$HOME/Library/Application Support" ;; *) state=$HOME/.local/state ;; esac
	say "The plugin in Studio's plugins folder stays, and this machine's key in ${XDG_STATE_HOME:-$state}/studio-bridge"
}

# Written through the file, so that a link to it and its mode stay.
remove_line() {
	kept=$(mktemp) || return 0
	sed '/# studio-bridge$/d' "$1" >"$kept" && cat "$kept" >"$1" && say "removed it from your PATH in $1"
	rm -f "$kept"
}

# --- words -------------------------------------------------------------------------------------

say() { printf '%s\n' "$*" >&2; }

die() {
	say "error: $*"
	exit 1
}

wrong_usage() {
	say "error: $*. See install.sh --help"
	exit 2
}

print_help() {
	cat <<'HELP'
Installs sb, the command of studio-bridge, for this user.
The same again updates it.

  install.sh [--version X.Y.Z] [--dir DIR] [--no-modify-path]
  install.sh --uninstall [--dir DIR]
  install.sh --from-source [--dir DIR]

  --version X.Y.Z   this version instead of the newest
  --dir DIR         where sb lies; without it ~/.local/bin
  --prefix DIR      the same as --dir DIR/bin
  --no-modify-path  leave the start files of your shell
  --uninstall       remove sb, and what was added to PATH
  --from-source     build this checkout
                    (needs git, Node 20 or newer and npm)

SB_INSTALL_BASE_URL is a folder with a release: https,
or http on this machine.
HELP
}

# A download that was cut off anywhere does nothing: the braces are run only when both are there.
{ main "$@"; exit; }
