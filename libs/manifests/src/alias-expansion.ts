import { EVENT_ID } from 'js-yaml'
import { tooManyNodes } from './compose-yaml.ts'
import { eventOffset, placeOf, readYamlSource } from './yaml-source.ts'

/** What a text has that names a part of it, and what repeats one. */
const anchorAndAlias = [/(?:^|[\s[{,:-])&[^\s,[\]{}]/m, /(?:^|[\s[{,:-])\*[^\s,[\]{}]/m] as const

/** What aliases of a text may come to. */
interface ExpansionLimits {
  readonly maxDepth: number
  readonly maxAliasExpansion: number
}

/**
 * Bounds how many nodes a text of YAML has once every alias is replaced by what it repeats, for texts that another program
 * reads. A text without aliases is not looked at.
 * @param file names the text in messages
 * @throws ResourceExhaustedError (`file:line: …`) above a limit, InvalidInputError for text that is not YAML
 */
export function boundAliasExpansion(text: string, file: string, limits: ExpansionLimits): void {
  if (!anchorAndAlias.every((pattern) => pattern.test(text))) return
  const source = readYamlSource(file, text, limits.maxDepth)
  let anchors = new Map<string, number>()
  let nodes = 0
  const open: { anchor: string | undefined; before: number }[] = []
  for (const event of source.events) {
    if (event.type === EVENT_ID.DOCUMENT) {
      anchors = new Map()
      // Its end is one event more.
      open.push({ anchor: undefined, before: nodes })
      continue
    }
    if (event.type === EVENT_ID.POP) {
      const { anchor, before } = open.pop() ?? { anchor: undefined, before: nodes }
      if (anchor !== undefined) anchors.set(anchor, nodes - before)
      continue
    }
    const before = nodes
    const anchor =
      'anchorStart' in event && event.anchorStart >= 0
        ? text.slice(event.anchorStart, event.anchorEnd)
        : undefined
    nodes += event.type === EVENT_ID.ALIAS ? (anchors.get(anchor ?? '') ?? 1) : 1
    if (event.type === EVENT_ID.MAPPING || event.type === EVENT_ID.SEQUENCE) open.push({ anchor, before })
    else if (event.type === EVENT_ID.SCALAR && anchor !== undefined) anchors.set(anchor, 1)
    if (nodes > limits.maxAliasExpansion) {
      throw tooManyNodes(placeOf(source, eventOffset(event)))
    }
  }
}
