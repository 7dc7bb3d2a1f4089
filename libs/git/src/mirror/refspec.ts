import { InvalidInputError } from '@wadi/errors/domain-error.ts'

/** A source to fetch, and the ref that keeps it in the mirror. */
export type Refspec = {
  /** A ref or a pattern with one `*`, `HEAD`, or an object. */
  source: string
  /** A ref or a pattern; undefined for an object that no ref keeps. */
  target: string | undefined
  /** True if the ref may move anywhere, not only forward. */
  isForced: boolean
}

/** @throws InvalidInputError for what git could misread. */
export function parseRefspec(text: string): Refspec {
  const [source = '', target, ...others] = text.replace(/^\+/, '').split(':')
  const valid = target === undefined ? isObject(source) : isRefPattern(target)
  const validSource = target === undefined || source === 'HEAD' || isRefPattern(source) || isObject(source)
  if (!valid || !validSource || others.length > 0) {
    throw new InvalidInputError(`${JSON.stringify(text)} is not a refspec to fetch`)
  }
  return { source, target, isForced: text.startsWith('+') }
}

/** True if a source is the name of an object, not of a ref. */
export function isObject(text: string): boolean {
  return /^[0-9a-f]{40,64}$/.test(text)
}

function isRefPattern(text: string): boolean {
  return /^refs\/[^\p{Cc}\s~^:?[\\]+$/u.test(text) && !text.includes('..')
}

/** The ref of the mirror for a ref of the remote, or the other way round with the patterns swapped; undefined where they differ. */
export function mapRef(name: string, from: string, to: string): string | undefined {
  const star = from.indexOf('*')
  if (star < 0) return name === from ? to : undefined
  const [head, tail] = [from.slice(0, star), from.slice(star + 1)]
  if (name.length < head.length + tail.length || !name.startsWith(head) || !name.endsWith(tail))
    return undefined
  return to.replace('*', () => name.slice(head.length, name.length - tail.length))
}

/** True if git accepts a ref of this name (git-check-ref-format); it ignores others that a server lists. */
export function isStorableRef(name: string): boolean {
  return /^refs\/[^\p{Cc}\s~^:?*[\\]+[^./]$/u.test(name) && !/\.\.|@\{|\/\/|\/\.|\.lock(?:\/|$)/.test(name)
}
