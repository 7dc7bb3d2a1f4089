import { isJsonObject } from '@wadi/fields/json-object.ts'

/** The kind of generator that asks a question; the key of a question is a JSON list that begins with it. */
export function kindAsked(key: string): string {
  const parts: unknown = JSON.parse(key)
  const kind: unknown = Array.isArray(parts) ? parts[0] : undefined
  return typeof kind === 'string' ? kind : ''
}

/** Returns whether a question has exactly this text in its key. */
export function mentions(key: string, text: string): boolean {
  return textsIn(JSON.parse(key)).includes(text)
}

/**
 * Returns whether a question seems to be about a repository with a normalised URL: it has the URL's whole path or its
 * owner and its name. Hosts are not compared, as the API of a forge often has another one: this is good for hints alone.
 */
export function mentionsRepository(key: string, repository: string): boolean {
  const path = repository
    .toLowerCase()
    .replace(/^[a-z+]+:\/\//, '')
    .replace(/^[^/]*\/+/, '')
  const slash = path.lastIndexOf('/')
  if (slash < 0) return false
  const texts = new Set(textsIn(JSON.parse(key)).map((text) => text.toLowerCase()))
  return texts.has(path) || (texts.has(path.slice(0, slash)) && texts.has(path.slice(slash + 1)))
}

function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  if (Array.isArray(value)) return value.flatMap(textsIn)
  return isJsonObject(value) ? Object.values(value).flatMap(textsIn) : []
}
