# Asks `sb complete` what can stand at the cursor; the word there is passed with a | behind it, so that it is never empty.
Register-ArgumentCompleter -Native -CommandName @('sb', 'studio-bridge') -ScriptBlock {
    param($current, $line, $cursor)
    $before = @($line.CommandElements | Where-Object { $_.Extent.EndOffset -lt $cursor } | ForEach-Object { $_.ToString() })
    $program = $before[0]
    $words = @($before | Select-Object -Skip 1)
    & $program complete '--' @words "$current|" 2>$null | Where-Object { $_ -notin ':files', ':goes-on' } | ForEach-Object {
        $value, $text = $_ -split [char]9, 2
        if (-not $text) { $text = $value }
        [System.Management.Automation.CompletionResult]::new($value, $value, 'ParameterValue', $text)
    }
}
