import type { CompletionNode } from './completion-tree.ts'

/**
 * Returns the body of a loop over the words before the cursor, for bash and zsh alike: it follows the sub-commands in
 * `place` and marks in `pending` a flag that still waits for its value.
 */
export function followWord(nodes: readonly CompletionNode[]): string {
  const flags = nodes.flatMap((node) =>
    node.flags
      .filter((flag) => flag.takesValue)
      .flatMap((flag) => flag.names.map((name) => `${node.place}:${name}`)),
  )
  const places = nodes.filter((node) => node.place !== '').map((node) => node.place)
  return `    if [[ -n "$pending" ]]; then pending=""; continue; fi
    case "$place:$word" in
      ${flags.join('|')}) pending="$word"; continue ;;
    esac
    case "$place/$word" in
      ${places.join('|')}) place="$place/$word" ;;
    esac`
}

/** Returns the branches of a `case` over `place:flag` that list the possible values of a flag. */
export function choiceBranches(
  nodes: readonly CompletionNode[],
  branch: (pattern: string, choices: readonly string[]) => string,
): string {
  return nodes
    .flatMap((node) =>
      node.flags
        .filter((flag) => flag.choices.length > 0)
        .map((flag) => branch(flag.names.map((name) => `${node.place}:${name}`).join('|'), flag.choices)),
    )
    .join('\n')
}
