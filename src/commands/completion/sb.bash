# Asks `sb complete` what can stand at the cursor; the word there is passed with a | behind it, so that it is never empty.
_sb() {
  local current="${COMP_WORDS[COMP_CWORD]}" line index word previous="" before
  local -a words=()
  # bash makes words of their own of colons, and completes what stands behind the last one.
  for ((index = 1; index <= COMP_CWORD; index++)); do
    word="${COMP_WORDS[index]}"
    if [[ ${#words[@]} -gt 0 && ($word == :* || $previous == *:) ]]; then
      words[${#words[@]} - 1]+="$word"
    else
      words+=("$word")
    fi
    previous="$word"
  done
  word="${words[${#words[@]} - 1]}"
  [[ $current == : ]] && current=""
  before="${word%"$current"}"
  COMPREPLY=()
  while IFS= read -r line; do
    if [[ $line == :goes-on ]]; then
      compopt -o nospace 2>/dev/null
    elif [[ $line == :files ]]; then
      compopt -o filenames 2>/dev/null
      while IFS= read -r line; do COMPREPLY+=("$line"); done < <(compgen -f -- "$current")
    else
      line="${line%%$'\t'*}"
      COMPREPLY+=("${line#"$before"}")
    fi
  done < <("${COMP_WORDS[0]}" complete -- "${words[@]:0:${#words[@]}-1}" "$word|" 2>/dev/null)
}
complete -F _sb sb studio-bridge
