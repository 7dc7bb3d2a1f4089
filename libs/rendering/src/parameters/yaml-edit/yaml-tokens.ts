import { CST, Parser } from 'yaml'

/** An entry of a map or an item of a list in a YAML text; all places are offsets of the text. */
export interface YamlEntry {
  /** `undefined` for an item, and for a key that is not a scalar. */
  readonly key: string | undefined
  readonly start: number
  /** Behind the colon or the dash; the start of a flow list's item; undefined for a key alone in a flow map. */
  readonly head: number | undefined
  /** Undefined for a null that is not written. */
  readonly value: CST.Token | undefined
  /** Behind the last character that is neither space nor comment. */
  readonly end: number
}

/** A map or a list in a YAML text. */
export interface YamlCollection {
  readonly kind: 'map' | 'list'
  readonly isFlow: boolean
  /** The column of the entries of a block collection, from 0. */
  readonly column: number
  readonly entries: readonly YamlEntry[]
  readonly start: number
  readonly end: number
}

/** Finds the root of the one document of a text that has one; undefined for an empty text. */
export function yamlRoot(text: string): CST.Token | undefined {
  return yamlRoots(text)[0]
}

/** Finds the roots of the documents of a text, without empty ones. */
export function yamlRoots(text: string): CST.Token[] {
  return [...new Parser().parse(text)].flatMap((token) =>
    token.type === 'document' && token.value !== undefined ? [token.value] : [],
  )
}

/** The entries of a map or a list; undefined for anything else. */
export function collectionOf(token: CST.Token | undefined): YamlCollection | undefined {
  if (!CST.isCollection(token)) return undefined
  const isFlow = token.type === 'flow-collection'
  const isMap = token.type === 'block-map' || (isFlow && token.start.type === 'flow-map-start')
  return {
    kind: isMap ? 'map' : 'list',
    isFlow,
    column: token.indent,
    entries: token.items.flatMap((item) => entryOf(item, isMap, isFlow)),
    start: token.offset,
    end: tokenEnd(token),
  }
}

/** Returns the end of a node, without the comments and line ends after it. */
export function tokenEnd(token: CST.Token): number {
  switch (token.type) {
    case 'block-map':
    case 'block-seq':
      return itemEnd(token.items.findLast((item) => significant(item).length > 0)) ?? token.offset
    case 'flow-collection': {
      const closing = token.end[0]
      return closing === undefined ? token.offset : closing.offset + closing.source.length
    }
    case 'block-scalar': {
      const header = token.props.at(-1)
      return (header === undefined ? token.offset : tokenEnd(header)) + token.source.length
    }
    case 'document':
      return token.offset
    default:
      return token.offset + token.source.length
  }
}

const insignificant = new Set<CST.Token['type']>(['space', 'newline', 'comment', 'comma'])

function significant(item: CST.CollectionItem): CST.Token[] {
  return [...item.start, item.key, ...(item.sep ?? []), item.value].filter(
    (token): token is CST.Token => token !== undefined && token !== null && !insignificant.has(token.type),
  )
}

function itemEnd(item: CST.CollectionItem | undefined): number | undefined {
  const last = item && significant(item).at(-1)
  return last && tokenEnd(last)
}

function entryOf(item: CST.CollectionItem, isMap: boolean, isFlow: boolean): YamlEntry[] {
  const [first] = significant(item)
  if (first === undefined) return []
  const indicator = isMap
    ? item.sep?.find(({ type }) => type === 'map-value-ind')
    : item.start.find(({ type }) => type === 'seq-item-ind')
  const isPair = !isMap && item.key !== undefined
  return [
    {
      key: isMap && item.key && CST.isScalar(item.key) ? CST.resolveAsScalar(item.key)?.value : undefined,
      start: first.offset,
      head: indicator === undefined ? (isMap || !isFlow ? undefined : first.offset) : indicator.offset + 1,
      value: isPair ? undefined : item.value,
      end: itemEnd(item) ?? first.offset,
    },
  ]
}
