import type { CompletionNode } from './completion-tree.ts'

/** Returns the completion script for PowerShell. */
export function powershellScript(nodes: readonly CompletionNode[]): string {
  return `# PowerShell completion for wadi: wadi completion powershell | Out-String | Invoke-Expression
Register-ArgumentCompleter -Native -CommandName wadi -ScriptBlock {
    param($wordToComplete, $commandAst, $cursorPosition)
    $commands = @{
${nodes.map((node) => `        '${node.place}' = @(${list(node.commands.map(({ name }) => name))})`).join('\n')}
    }
    $flags = @{
${nodes.map((node) => `        '${node.place}' = @(${list(node.flags.flatMap((flag) => flag.names))})`).join('\n')}
    }
    $values = @{
${nodes.flatMap(valueLines).join('\n')}
    }
    $sources = @{
${nodes.flatMap((node) => (node.source === undefined ? [] : [`        '${node.place}' = '${node.source}'`])).join('\n')}
    }
    $words = @($commandAst.CommandElements | ForEach-Object { $_.ToString() })
    $last = if ($wordToComplete -eq '') { $words.Count - 1 } else { $words.Count - 2 }
    $place = ''
    $pending = $null
    for ($index = 1; $index -le $last; $index++) {
        $word = $words[$index]
        if ($null -ne $pending) { $pending = $null; continue }
        if ($values.ContainsKey("$\{place}:$word")) { $pending = "$\{place}:$word"; continue }
        if ($commands.ContainsKey("$place/$word")) { $place = "$place/$word" }
    }
    $offers = if ($null -ne $pending) { $values[$pending] }
    elseif ($wordToComplete.StartsWith('-')) { $flags[$place] }
    elseif ($sources.ContainsKey($place)) { & $words[0] __complete $sources[$place] 2>$null }
    else { $commands[$place] }
    $offers | Where-Object { $_ -and $_.StartsWith($wordToComplete) } |
        ForEach-Object { [System.Management.Automation.CompletionResult]::new($_, $_, 'ParameterValue', $_) }
}
`
}

function valueLines(node: CompletionNode): string[] {
  return node.flags
    .filter((flag) => flag.takesValue)
    .flatMap((flag) => flag.names.map((name) => `        '${node.place}:${name}' = @(${list(flag.choices)})`))
}

function list(words: readonly string[]): string {
  return words.map((word) => `'${word}'`).join(', ')
}
