import type { CompletionFlag, CompletionNode } from './completion-tree.ts'
import { choiceBranches, followWord } from './posix-places.ts'

/** Returns the completion script for zsh. */
export function zshScript(nodes: readonly CompletionNode[]): string {
  return `#compdef wadi
# zsh completion for wadi: source <(wadi completion zsh)

_wadi() {
  local place="" pending="" word index
  local -a offers
  for ((index = 2; index < CURRENT; index++)); do
    word="\${words[index]}"
${followWord(nodes)}
  done
  if [[ -n "$pending" ]]; then
    case "$place:$pending" in
${choiceBranches(nodes, (pattern, choices) => `      ${pattern}) compadd -- ${choices.join(' ')} ;;`)}
      *) _files ;;
    esac
    return
  fi
  if [[ "\${words[CURRENT]}" == -* ]]; then
    case "$place" in
${nodes.map((node) => `      "${node.place}") offers=(${node.flags.flatMap(flagOffers).join(' ')}) ;;`).join('\n')}
    esac
    _describe -o 'flag' offers
    return
  fi
  case "$place" in
${nodes.flatMap(valueBranch).join('\n')}
    *) _files ;;
  esac
}

compdef _wadi wadi
`
}

function flagOffers(flag: CompletionFlag): string[] {
  return flag.names.map((name) => offer(name, flag.description))
}

function valueBranch({ place, commands, source }: CompletionNode): string[] {
  if (commands.length > 0) {
    const offers = commands.map(({ name, description }) => offer(name, description)).join(' ')
    return [`    "${place}") offers=(${offers}); _describe 'command' offers ;;`]
  }
  if (source === undefined) return []
  return [`    "${place}") compadd -- \${(f)"$("\${words[1]}" __complete ${source} 2>/dev/null)"} ;;`]
}

function offer(name: string, description: string): string {
  return `'${name}:${description.replaceAll("'", "'\\''")}'`
}
