#compdef sb studio-bridge
# Asks `sb complete` what can stand at the cursor; the word there is passed with a | behind it, so that it is never empty.
_sb() {
  local -a described
  local line
  local -a ending
  for line in "${(@f)$("${words[1]}" complete -- "${(@)words[2,CURRENT-1]}" "${words[CURRENT]}|" 2>/dev/null)}"; do
    if [[ $line == :goes-on ]]; then
      ending=(-S '')
    elif [[ $line == :files ]]; then
      # A path begins behind the equals sign of `--place=` and of `junit=`.
      compset -P '*='
      _files
    elif [[ $line == *$'\t'* ]]; then
      described+=("${${line%%$'\t'*}//:/\\:}:${line#*$'\t'}")
    elif [[ -n $line ]]; then
      described+=("${line//:/\\:}")
    fi
  done
  (( $#described )) && _describe sb described $ending
}
if [[ ${funcstack[1]} == _sb ]]; then _sb "$@"; else compdef _sb sb studio-bridge; fi
