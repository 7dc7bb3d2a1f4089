import { parseJsonNumbers } from '@wadi/manifests/json-numbers.ts'
import { composeKey, composeScalar, isMergeKey } from '@wadi/manifests/yaml-scalar.ts'
import type { YamlSource } from '@wadi/manifests/yaml-source.ts'
import { EVENT_ID, getScalarValue } from 'js-yaml'
import type { DocumentDirective, Event, ScalarEvent } from 'js-yaml'
import { isNumberText } from './number-text.ts'

/** A number by its text, which no arithmetic has touched. */
export class ExactNumber {
  /** As it was written, for example `1.10` or `0x1F`. */
  readonly text: string
  /** The number in decimal digits; the same text wherever it was written so. */
  readonly decimal: string

  constructor(text: string, decimal = text) {
    this.text = text
    this.decimal = decimal
  }
}

/**
 * Reads JSON; every number is an {@link ExactNumber}.
 *
 * @throws InvalidInputError with the position for a text that is no JSON.
 */
export function parseExactJson(text: string): unknown {
  return parseJsonNumbers(text, (number) => new ExactNumber(number))
}

interface Walk {
  readonly source: YamlSource
  readonly directives: readonly DocumentDirective[]
  readonly anchors: Map<string, unknown>
  index: number
}

/**
 * Returns the value of a YAML document with every number as an {@link ExactNumber}; `value` is what composing the
 * document, whose root is the event at `eventIndex`, gave.
 */
export function withExactNumbers(source: YamlSource, eventIndex: number, value: unknown): unknown {
  if (!holdsNumber(value)) return value
  const document = source.events[eventIndex - 1]
  const directives = document?.type === EVENT_ID.DOCUMENT ? document.directives : []
  return exactNode({ source, directives, anchors: new Map(), index: eventIndex })
}

function holdsNumber(value: unknown): boolean {
  if (typeof value === 'object' && value !== null) return Object.values(value).some(holdsNumber)
  return typeof value === 'number' || typeof value === 'bigint'
}

function exactNode(walk: Walk): unknown {
  const event = walk.source.events[walk.index++]
  if (event?.type === EVENT_ID.ALIAS) return walk.anchors.get(anchorOf(walk, event))
  const value = exactContent(walk, event)
  if (event !== undefined && 'anchorStart' in event && event.anchorStart >= 0) {
    walk.anchors.set(anchorOf(walk, event), value)
  }
  return value
}

function exactContent(walk: Walk, event: Event | undefined): unknown {
  switch (event?.type) {
    case EVENT_ID.SCALAR:
      return exactScalar(walk, event)
    case EVENT_ID.SEQUENCE: {
      const items: unknown[] = []
      while (!atEnd(walk)) items.push(exactNode(walk))
      return items
    }
    case EVENT_ID.MAPPING:
      return exactMapping(walk)
    default:
      return null
  }
}

function exactMapping(walk: Walk): unknown {
  const entries = new Map<string, unknown>()
  while (!atEnd(walk)) {
    const event = walk.source.events[walk.index]
    if (event?.type === EVENT_ID.SCALAR && isMergeKey(walk.source, event)) {
      walk.index++
      const merged = exactNode(walk)
      for (const origin of Array.isArray(merged) ? merged.toReversed() : [merged]) {
        for (const [key, value] of Object.entries(origin ?? {})) entries.set(key, value)
      }
      continue
    }
    const key = exactKey(walk)
    entries.set(key, exactNode(walk))
  }
  return Object.fromEntries(entries)
}

function exactKey(walk: Walk): string {
  const event = walk.source.events[walk.index]
  const key = exactNode(walk)
  if (event?.type === EVENT_ID.SCALAR) return composeKey(walk.source, event, walk.directives)
  return key instanceof ExactNumber ? key.decimal : String(key)
}

function exactScalar(walk: Walk, event: ScalarEvent): unknown {
  const value = composeScalar(walk.source, event, walk.directives)
  if (typeof value !== 'number' && typeof value !== 'bigint') return value
  const text = getScalarValue(walk.source.text, event)
  // `0777` is octal in YAML 1.1: written so, but another number in decimal.
  const isDecimal = isNumberText(text) && Number(text) === Number(value)
  return new ExactNumber(text, isDecimal ? text : String(value))
}

function anchorOf(walk: Walk, event: { anchorStart: number; anchorEnd: number }): string {
  return walk.source.text.slice(event.anchorStart, event.anchorEnd)
}

function atEnd(walk: Walk): boolean {
  const type = walk.source.events[walk.index]?.type
  if (type !== EVENT_ID.POP && type !== undefined) return false
  walk.index++
  return true
}
