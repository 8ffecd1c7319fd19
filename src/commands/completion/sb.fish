# Asks `sb complete` what can stand at the cursor; the word there is passed with a | behind it, so that it is never empty.
function __sb_complete
    set -l words (commandline -opc)
    set -l current (commandline -ct)
    for line in ($words[1] complete -- $words[2..-1] "$current|" 2>/dev/null)
        if test "$line" = ":files"
            __fish_complete_path "$current"
        else
            printf '%s\n' "$line"
        end
    end
end
complete -c sb -f -a '(__sb_complete)'
complete -c studio-bridge -f -a '(__sb_complete)'
