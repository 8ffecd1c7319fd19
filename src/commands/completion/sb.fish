# Asks `sb complete` what can stand at the cursor; the word there is passed with a | behind it, so that it is never empty.
function __sb_complete
    set -l words (commandline -opc)
    set -l current (commandline -ct)
    for line in ($words[1] complete -- $words[2..-1] "$current|" 2>/dev/null)
        # fish decides by itself whether a blank follows.
        if test "$line" = ":goes-on"
            continue
        else if test "$line" = ":files"
            # A path begins behind the equals sign of `--place=` and of `junit=`.
            set -l before (string match -r '^.*=' -- $current)
            __fish_complete_path (string replace -r '^.*=' '' -- $current) | string replace -r '^' "$before"
        else
            printf '%s\n' "$line"
        end
    end
end
complete -c sb -f -a '(__sb_complete)'
complete -c studio-bridge -f -a '(__sb_complete)'
