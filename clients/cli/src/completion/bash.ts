import type { CompletionNode } from './completion-tree.ts'
import { choiceBranches, followWord } from './posix-places.ts'

/** Returns the completion script for bash. */
export function bashScript(nodes: readonly CompletionNode[]): string {
  return `# bash completion for wadi: source <(wadi completion bash)
COMP_WORDBREAKS="\${COMP_WORDBREAKS//:/}"

_wadi_names() {
  local name
  while IFS= read -r name; do
    if [[ "$name" == "$2"* ]]; then COMPREPLY+=("$name"); fi
  done < <("\${COMP_WORDS[0]}" __complete "$1" 2>/dev/null)
}

_wadi() {
  local current="\${COMP_WORDS[COMP_CWORD]}" place="" pending="" word index
  COMPREPLY=()
  for ((index = 1; index < COMP_CWORD; index++)); do
    word="\${COMP_WORDS[index]}"
${followWord(nodes)}
  done
  if [[ -n "$pending" ]]; then
    case "$place:$pending" in
${choiceBranches(nodes, (pattern, choices) => `      ${pattern}) COMPREPLY=($(compgen -W '${choices.join(' ')}' -- "$current")) ;;`)}
    esac
    return
  fi
  if [[ "$current" == -* ]]; then
    case "$place" in
${nodes.map((node) => `      "${node.place}") COMPREPLY=($(compgen -W '${flagNames(node)}' -- "$current")) ;;`).join('\n')}
    esac
    return
  fi
  case "$place" in
${nodes.flatMap(valueBranch).join('\n')}
  esac
}

complete -o default -F _wadi wadi
`
}

function flagNames(node: CompletionNode): string {
  return node.flags.flatMap((flag) => flag.names).join(' ')
}

function valueBranch({ place, commands, source }: CompletionNode): string[] {
  if (commands.length > 0) {
    const names = commands.map(({ name }) => name).join(' ')
    return [`    "${place}") COMPREPLY=($(compgen -W '${names}' -- "$current")) ;;`]
  }
  return source === undefined ? [] : [`    "${place}") _wadi_names ${source} "$current" ;;`]
}
