import { InvalidInputError } from '@wadi/errors/domain-error.ts'
import { flowText, pairText } from '@wadi/rendering/parameters/yaml-edit/block-text.ts'
import { yamlSplices } from '@wadi/rendering/parameters/yaml-edit/edit-yaml.ts'
import {
  applySplices,
  lineEnd,
  lineStart,
  type Splice,
} from '@wadi/rendering/parameters/yaml-edit/yaml-splice.ts'
import {
  collectionOf,
  type YamlCollection,
  type YamlEntry,
  yamlRoots,
} from '@wadi/rendering/parameters/yaml-edit/yaml-tokens.ts'
import type { SourceChange, SyncSource } from './hydrated-spec.ts'
import { entryAt, type ObjectPlace } from './object-places.ts'

/** The change of one object of a YAML or JSON text. */
export interface TextEdit {
  readonly place: ObjectPlace
  /** The keys from the object to the spec of its Application. */
  readonly specPath: readonly string[]
  readonly changes: readonly SourceChange[]
  readonly syncSource: SyncSource
}

/**
 * Replaces `source` or `sources` of an object by `sourceHydrator`: comments, order, quotes and line ends of all the rest stay.
 * The caller reads the result again, as anchors and merge keys are not followed.
 * @throws InvalidInputError for a text in which this cannot be done
 */
export function hydratedText(text: string, edit: TextEdit): string {
  const lineBreak = text.includes('\r\n') ? '\r\n' : '\n'
  const specOf = (from: string): YamlCollection => {
    const spec = collectionOf(entryAt(yamlRoots(from), edit.place, edit.specPath))
    if (spec?.kind === 'map') return spec
    throw new InvalidInputError(`${edit.specPath.join('.')} is not written out; write it without an alias`)
  }
  const isFlow = specOf(text).isFlow
  const whole = isFlow || text.endsWith('\n') ? text : `${text}${lineBreak}`
  const changed = edit.changes.reduce(
    (before, change) =>
      applySplices(before, changeSplices(before, sourceEntry(specOf(before)), change), lineBreak),
    whole,
  )
  const spec = specOf(changed)
  const wrapping = isFlow ? wrapFlow : wrapBlock
  return applySplices(changed, [wrapping(changed, spec, sourceEntry(spec), edit.syncSource)], lineBreak)
}

/** The entry that has content: templates leave an empty one of the other name behind. */
function sourceEntry({ entries }: YamlCollection): YamlEntry {
  const found = entries.filter(({ key }) => key === 'source' || key === 'sources')
  const [entry] = found.filter(({ value }) => {
    const inside = collectionOf(value)
    return inside === undefined ? value?.type === 'alias' : inside.entries.length > 0
  })
  if (entry) return entry
  throw new InvalidInputError('its source is not written out; write it without a merge key')
}

function changeSplices(text: string, entry: YamlEntry, { position, path, value }: SourceChange): Splice[] {
  const own = entry.key === 'sources' ? collectionOf(entry.value)?.entries[position]?.value : entry.value
  if (collectionOf(own)?.kind !== 'map') {
    throw new InvalidInputError('its source is an alias; write it out, as fields are added to it')
  }
  return yamlSplices(text, own, { path, value })
}

function wrapBlock(text: string, spec: YamlCollection, entry: YamlEntry, syncSource: SyncSource): Splice {
  const start = lineStart(text, entry.start)
  const end = withInnerComments(text, lineEnd(text, entry.end), spec.column)
  const [outer, inner] = [' '.repeat(spec.column), ' '.repeat(spec.column + 2)]
  const { name, body } = renamed(text, entry, end)
  const lines = `${outer}${name}${body.replaceAll('\r\n', '\n')}`.split('\n').slice(0, -1)
  const moved = lines.map((line) => (line === '' ? '\n' : `  ${line}\n`)).join('')
  const sync = `${inner}${pairText('syncSource', { ...syncSource }, spec.column + 2)}`
  return { start, end, text: `${outer}sourceHydrator:\n${moved}${sync}` }
}

/** The new name of a source with what follows it; a list of one source becomes that source. */
function renamed(text: string, entry: YamlEntry, end: number): { name: string; body: string } {
  const head = entry.head ?? entry.end
  if (entry.key === 'source') return { name: 'drySource:', body: text.slice(head, end) }
  const list = collectionOf(entry.value)
  const only = onlySource(list)
  if (list === undefined || only === undefined) return { name: 'drySources:', body: text.slice(head, end) }
  if (list.isFlow) {
    const body = `${text.slice(head, list.start)}${text.slice(only.start, only.end)}${text.slice(list.end, end)}`
    return { name: 'drySource:', body }
  }
  // The dash becomes a blank, so that the columns of the fields stay.
  const body = `${text.slice(head, only.start)} ${text.slice(only.start + 1, end)}`
  return { name: 'drySource:', body }
}

/** The source of a list that has one, unless others could name it. */
function onlySource(list: YamlCollection | undefined): YamlEntry | undefined {
  const [only, ...more] = list?.entries ?? []
  return more.length > 0 || hasRef(collectionOf(only?.value)) ? undefined : only
}

function hasRef(fields: YamlCollection | undefined): boolean {
  return fields?.entries.some(({ key }) => key === 'ref') === true
}

/** The end of the comments that follow an entry and are deeper than it. */
function withInnerComments(text: string, end: number, column: number): number {
  let [taken, at] = [end, end]
  while (at < text.length) {
    const lineBreak = text.indexOf('\n', at)
    const next = lineBreak < 0 ? text.length : lineBreak + 1
    const line = text.slice(at, next)
    if (/^ *#/.test(line) && line.indexOf('#') > column) taken = next
    else if (line.trim() !== '') break
    at = next
  }
  return taken
}

function wrapFlow(text: string, spec: YamlCollection, entry: YamlEntry, syncSource: SyncSource): Splice {
  const { end } = entry
  const only = entry.key === 'source' ? undefined : onlySource(collectionOf(entry.value))
  const value = only ? text.slice(only.start, only.end) : text.slice(entry.head ?? end, end).trim()
  const name = entry.key === 'source' || only ? '"drySource"' : '"drySources"'
  const line = text.lastIndexOf('\n', entry.start - 1) + 1
  const indentation = text.slice(line, entry.start)
  const sync = { ...syncSource }
  if (line <= spec.start || indentation.trim() !== '') {
    const parts = `${name}: ${value}, "syncSource": ${flowText(sync)}`
    return { start: entry.start, end, text: `"sourceHydrator": {${parts}}` }
  }
  const inner = `\n${indentation}  `
  const deeper = (lines: string): string => lines.replaceAll('\r\n', '\n').replaceAll('\n', '\n  ')
  const shown = JSON.stringify(sync, undefined, 2).replaceAll('\n', inner)
  const parts = `${inner}${name}: ${deeper(value)},${inner}"syncSource": ${shown}`
  return { start: entry.start, end, text: `"sourceHydrator": {${parts}\n${indentation}}` }
}
