import { composeAgain } from '@wadi/manifests/compose-yaml.ts'
import { parseJsonNumbers } from '@wadi/manifests/json-numbers.ts'
import type { NodeBuilder } from '@wadi/manifests/node-builder.ts'
import { composeKey, composeScalar } from '@wadi/manifests/yaml-scalar.ts'
import type { YamlSource } from '@wadi/manifests/yaml-source.ts'
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
 * @throws InvalidInputError with the position for a text that is not JSON.
 */
export function parseExactJson(text: string): unknown {
  return parseJsonNumbers(text, (number) => new ExactNumber(number))
}

/**
 * Returns the value of a YAML document with every number as an {@link ExactNumber}; `value` is what composing the
 * document, whose root is the event at `eventIndex`, gave.
 */
export function withExactNumbers(source: YamlSource, eventIndex: number, value: unknown): unknown {
  return holdsNumber(value) ? composeAgain(source, eventIndex, exactNodes(source)) : value
}

function holdsNumber(value: unknown): boolean {
  if (typeof value === 'object' && value !== null) return Object.values(value).some(holdsNumber)
  return typeof value === 'number' || typeof value === 'bigint'
}

function exactNodes(source: YamlSource): NodeBuilder<unknown, Map<string, unknown>> {
  return {
    scalar: (event) => {
      const value = composeScalar(source, event)
      if (typeof value !== 'number' && typeof value !== 'bigint') return value
      const text = event.value
      // `0777` is octal in YAML 1.1: written so, but another number in decimal.
      const isDecimal = isNumberText(text) && Number(text) === Number(value)
      return new ExactNumber(text, isDecimal ? text : String(value))
    },
    nothing: () => null,
    list: (items) => items,
    start: () => new Map(),
    has: (entries, key) => entries.has(key),
    put: (entries, key, node) => entries.set(key, node),
    finish: (entries) => Object.fromEntries(entries),
    key: (event) => composeKey(source, event),
    items: (node) => (Array.isArray(node) ? node : undefined),
    members: (node) => Object.entries(node ?? {}),
    repeat: (node) => node,
  }
}
