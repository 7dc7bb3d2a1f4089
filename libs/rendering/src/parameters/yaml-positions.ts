import { isMergeKey } from '@wadi/manifests/yaml-scalar.ts'
import { type YamlSource, eventOffset } from '@wadi/manifests/yaml-source.ts'
import { EVENT_ID, type Event, getScalarValue } from 'js-yaml'

/** Where a node of a YAML text stands. */
export interface YamlPosition {
  /** Counted from 1; that of its key for the value of a map. */
  readonly line: number
  /** A scalar as it is written, quotes and escapes taken away; undefined for a collection. */
  readonly text: string | undefined
  /** By the text of the key, or the position in a list. */
  readonly children: ReadonlyMap<string | number, YamlPosition>
}

/** Finds the places of all nodes below the one at `eventIndex` at once; what aliases and merge keys bring has the place of its anchor. */
export function yamlPositions(source: YamlSource, eventIndex: number): YamlPosition {
  return new PositionReader(source, eventIndex).read()
}

const noChildren: ReadonlyMap<string | number, YamlPosition> = new Map()

class PositionReader {
  readonly #source: YamlSource
  readonly #anchors = new Map<string, YamlPosition>()
  #index: number
  #line = 1
  #offset = 0

  constructor(source: YamlSource, eventIndex: number) {
    this.#source = source
    this.#index = eventIndex
    this.#line += source.linesBefore ?? 0
  }

  read(keyLine?: number): YamlPosition {
    const { text } = this.#source
    const event = this.#next()
    const line = keyLine ?? this.#lineOf(event)
    if (event === undefined || !('anchorStart' in event))
      return { line, text: undefined, children: noChildren }
    const anchor = event.anchorStart < 0 ? undefined : text.slice(event.anchorStart, event.anchorEnd)
    if (event.type === EVENT_ID.ALIAS) {
      const target = this.#anchors.get(anchor ?? '')
      return { line, text: target?.text, children: target?.children ?? noChildren }
    }
    const position: YamlPosition =
      event.type === EVENT_ID.SCALAR
        ? { line, text: getScalarValue(text, event), children: noChildren }
        : { line, text: undefined, children: event.type === EVENT_ID.MAPPING ? this.#map() : this.#list() }
    if (anchor !== undefined) this.#anchors.set(anchor, position)
    return position
  }

  #list(): Map<number, YamlPosition> {
    const children = new Map<number, YamlPosition>()
    while (!this.#atEnd()) children.set(children.size, this.read())
    this.#index += 1
    return children
  }

  #map(): Map<string, YamlPosition> {
    const own = new Map<string, YamlPosition>()
    const merged = new Map<string | number, YamlPosition>()
    while (!this.#atEnd()) {
      const key = this.#source.events[this.#index]
      const isMerge = key?.type === EVENT_ID.SCALAR && isMergeKey(this.#source, key)
      const { line, text } = this.read()
      const value = this.read(line)
      if (isMerge) {
        const isList = value.children.has(0)
        const origins = isList ? [...value.children.values()].toReversed() : [value]
        for (const { children } of origins) for (const [name, child] of children) merged.set(name, child)
      } else if (text !== undefined) own.set(text, value)
    }
    this.#index += 1
    for (const [name, child] of merged) if (typeof name === 'string' && !own.has(name)) own.set(name, child)
    return own
  }

  #next(): Event | undefined {
    const event = this.#source.events[this.#index]
    this.#index += 1
    return event
  }

  #atEnd(): boolean {
    const event = this.#source.events[this.#index]
    return event === undefined || event.type === EVENT_ID.POP
  }

  /** Nodes come in the order of the text, so that it is looked through once. */
  #lineOf(event: Event | undefined): number {
    const offset = eventOffset(event)
    for (; this.#offset < offset; this.#offset += 1) {
      const unit = this.#source.text[this.#offset]
      if (unit === '\n' || (unit === '\r' && this.#source.text[this.#offset + 1] !== '\n')) this.#line += 1
    }
    return this.#line
  }
}
