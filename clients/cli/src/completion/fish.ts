import type { CompletionFlag, CompletionNode } from './completion-tree.ts'

/** Returns the completion script for fish. */
export function fishScript(nodes: readonly CompletionNode[]): string {
  const places = nodes.filter((node) => node.place !== '').map((node) => quoted(node.place))
  const valueFlags = nodes.flatMap((node) =>
    node.flags
      .filter((flag) => flag.takesValue)
      .flatMap((flag) => flag.names.map((name) => quoted(`${node.place}:${name}`))),
  )
  return `# fish completion for wadi: wadi completion fish | source
function __wadi_place
    set -l place ''
    set -l pending 0
    set -l words (commandline -opc)
    for word in $words[2..-1]
        if test $pending = 1
            set pending 0
            continue
        end
        if contains -- "$place:$word" ${valueFlags.join(' ')}
            set pending 1
        else if contains -- "$place/$word" ${places.join(' ')}
            set place "$place/$word"
        end
    end
    echo "$place"
end

function __wadi_at
    test (__wadi_place) = "$argv[1]"
end

function __wadi_names
    set -l words (commandline -opc)
    $words[1] __complete $argv[1] 2>/dev/null
end

${nodes.flatMap(nodeLines).join('\n')}
`
}

function nodeLines(node: CompletionNode): string[] {
  const start = `complete -c wadi -n '__wadi_at "${node.place}"'`
  const values = node.commands.map(
    ({ name, description }) => `${start} -f -a ${name} -d ${quoted(description)}`,
  )
  if (node.source !== undefined) values.push(`${start} -f -a '(__wadi_names ${node.source})'`)
  return [...values, ...node.flags.map((flag) => `${start} ${flagWords(flag)}`)]
}

function flagWords(flag: CompletionFlag): string {
  const names = flag.names.map((name) =>
    name.startsWith('--') ? `-l ${name.slice(2)}` : `-s ${name.slice(1)}`,
  )
  const choices =
    flag.choices.length > 0 ? [`-x -a ${quoted(flag.choices.join(' '))}`] : flag.takesValue ? ['-r'] : []
  return [...names, ...choices, `-d ${quoted(flag.description)}`].join(' ')
}

function quoted(text: string): string {
  return `'${text.replaceAll(/[\\']/g, String.raw`\$&`)}'`
}
