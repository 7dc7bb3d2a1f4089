import type { Location } from '@wadi/errors/location.ts'
import { locatedMap, partOf } from '@wadi/params/values/located.ts'
import { isList } from '@wadi/params/values/value-tree.ts'
import { isValueMap } from '@wadi/params/values/value.ts'
import type { Derivation, Located } from '@wadi/params/values/value.ts'
import { maxFindings } from '../findings.ts'
import { goJsonValue } from './go-json.ts'
import { evaluatePath } from '../paths/json-path.ts'
import type { PathSubject } from '../paths/json-path.ts'
import { PathError } from '../paths/path-error.ts'
import type { StampBudget } from './stamp-budget.ts'
import { readTaggedText } from './tagged-text.ts'

/** A tag that has no value. */
interface TagFinding {
  at: Location
  /** The message of Cartographer. */
  message: string
  /** The text between `$(` and `)$`. */
  tag: string
  /** The error of the tag. */
  cause: PathError
}

/** A template with its tags replaced; a leaf with a finding has become null. */
export interface Interpolated {
  located: Located
  findings: readonly TagFinding[]
}

/**
 * Replaces the tags `$(jsonpath)$` in the texts of a template. A text that is one tag becomes the value with its type;
 * inside of a longer text other values than texts are JSON. Keys are not templates, nor is what a tag becomes.
 */
export function interpolate(template: Located, subject: PathSubject, budget: StampBudget): Interpolated {
  const findings: TagFinding[] = []
  const located = new Interpolation(subject, budget, findings).visit(template, [])
  return { located, findings }
}

class Interpolation {
  readonly #subject: PathSubject
  readonly #budget: StampBudget
  readonly #findings: TagFinding[]

  constructor(subject: PathSubject, budget: StampBudget, findings: TagFinding[]) {
    this.#subject = subject
    this.#budget = budget
    this.#findings = findings
  }

  visit(template: Located, path: readonly (string | number)[]): Located {
    const { value, at } = template
    if (typeof value === 'string') return this.#leaf(value, at, path)
    if (isValueMap(value)) return this.#map(template, value.keys(), path)
    if (!isList(value)) return template
    const parts = value.map((item, index) =>
      this.visit(partOf(template, String(index)) ?? { value: item, at }, [...path, index]),
    )
    return {
      value: parts.map((part) => part.value),
      at,
      parts: new Map(parts.map((part, index) => [String(index), part])),
    }
  }

  #map(template: Located, keys: Iterable<string>, path: readonly (string | number)[]): Located {
    const parts = new Map<string, Located>()
    for (const key of keys) {
      const part = partOf(template, key)
      if (part !== undefined) parts.set(key, this.visit(part, [...path, key]))
    }
    return locatedMap(parts, template.at)
  }

  #leaf(text: string, at: Location, path: readonly (string | number)[]): Located {
    const read = readTaggedText(text)
    if ('tag' in read) {
      const found = this.#resolve(read.tag, at, path, `evaluate tag ${text}`)
      return found === undefined ? { value: null, at } : placedAt(at, found, derivation(read.tag, found))
    }
    let derivedFrom: Derivation | undefined
    const texts = read.parts.map((part) => {
      if (typeof part === 'string') return part
      const found = this.#resolve(part.tag, at, path, 'interpolate tag: evaluate jsonpath')
      if (found === undefined) return ''
      derivedFrom ??= derivation(part.tag, found)
      if (found.value === null) {
        const cause = new PathError(`tag must not point to nil value: ${part.tag}`)
        this.#finding(part.tag, at, path, 'interpolate tag', cause)
      }
      return typeof found.value === 'string' ? found.value : goJsonValue(found.value)
    })
    const value = texts.join('')
    return derivedFrom === undefined ? { value, at } : { value, at, derivedFrom }
  }

  #resolve(
    tag: string,
    at: Location,
    path: readonly (string | number)[],
    doing: string,
  ): Located | undefined {
    if (this.#findings.length > maxFindings) return undefined
    try {
      const found = evaluatePath(tag, this.#subject, this.#budget)
      this.#budget.spend(found.value)
      return found
    } catch (error) {
      if (!(error instanceof PathError)) throw error
      this.#finding(tag, at, path, doing, error)
      return undefined
    }
  }

  #finding(
    tag: string,
    at: Location,
    path: readonly (string | number)[],
    doing: string,
    cause: PathError,
  ): void {
    const late = tag.includes('$(')
      ? `; the tag that begins with "$(${tag.slice(0, tag.indexOf('$(')).trimEnd()}" is closed by a later ")$": end it with ")$", or take the "$" after a later ")" away`
      : ''
    const message = `failed to recursively evaluate template: failed to interpolate template at path [${pathText(path)}]: ${doing}: ${cause.message}${late}`
    this.#findings.push({ at, message, tag, cause })
  }
}

function pathText(path: readonly (string | number)[]): string {
  return path
    .map((key) => (typeof key === 'number' ? `[${key}]` : `.${key}`))
    .join('')
    .replace(/^\./, '')
}

/** Returns a found value at the place of its tag; each part keeps its origin. */
function placedAt(at: Location, { value, parts }: Located, derivedFrom: Derivation): Located {
  if (parts === undefined) return { value, at, derivedFrom }
  const { winner, overridden } = derivedFrom.why
  const own = (part: Located): Derivation =>
    part.derivedFrom ?? {
      ...derivedFrom,
      why: { winner: { ...winner, at: part.at, value: part.value }, overridden },
    }
  const placed = Array.from(parts, ([key, part]) => [key, placedAt(at, part, own(part))] as const)
  return { value, at, derivedFrom, parts: new Map(placed) }
}

/** Returns the derivation of a found value: from a parameter, or from the object that the path leads through. */
function derivation(tag: string, found: Located): Derivation {
  if (found.derivedFrom !== undefined) return found.derivedFrom
  const owner = /^\.?(?:workload|deliverable)\b/.test(tag) ? 'developer' : 'operator'
  return {
    step: tag,
    why: { winner: { owner, kind: 'value', at: found.at, value: found.value }, overridden: [] },
  }
}
