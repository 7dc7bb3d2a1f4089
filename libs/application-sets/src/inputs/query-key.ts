import { isJsonObject } from '@wadi/fields/json-object.ts'

/** Kind of the queries for revisions of repositories, which several kinds of generators share. */
export const revisionQueries = 'git'

/** The subject and the addressee of a query; only equal queries have equal keys. */
export interface QueryKey {
  /** The kind of generator that asks, or that of its queries. */
  readonly kind: string
  /** The subject, for example a namespace and the fields of a forge; JSON. */
  readonly subjects: readonly unknown[]
}

/** The text of a key, by which answers are kept; equal for equal keys alone. */
export function keyText({ kind, subjects }: QueryKey): string {
  return JSON.stringify([kind, subjects])
}

/** Returns whether a query has exactly this text among its subjects. */
export function mentions({ subjects }: QueryKey, text: string): boolean {
  return textsIn(subjects).includes(text)
}

/**
 * Returns whether a query seems to be about a repository by its identity, `host/path`: it has the whole path or its
 * owner and its name. Hosts are not compared, as the API of a forge often has another one: this is good for hints alone.
 */
export function mentionsRepository({ subjects }: QueryKey, repository: string): boolean {
  const path = repository
    .toLowerCase()
    .replace(/^[a-z+]+:\/\//, '')
    .replace(/^[^/]*\/+/, '')
  const slash = path.lastIndexOf('/')
  if (slash < 0) return false
  const texts = new Set(textsIn(subjects).map((text) => text.toLowerCase()))
  return texts.has(path) || (texts.has(path.slice(0, slash)) && texts.has(path.slice(slash + 1)))
}

function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  if (Array.isArray(value)) return value.flatMap(textsIn)
  return isJsonObject(value) ? Object.values(value).flatMap(textsIn) : []
}
