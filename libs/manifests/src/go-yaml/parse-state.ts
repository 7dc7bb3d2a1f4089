import { peekToken, takeToken } from './scan-tokens.ts'
import type { YamlEvent } from './yaml-event.ts'
import { YamlSyntaxError } from './yaml-scan.ts'
import type { TagToken, YamlScan, YamlToken } from './yaml-scan.ts'

/** A text on its way to events. */
export interface Parse {
  readonly scan: YamlScan
  readonly events: YamlEvent[]
  readonly maxDepth: number
  depth: number
  /** The prefixes that tags of the document are composed of, by their handles. */
  prefixes: Map<string, string>
}

/** Takes the directives in front of a document, and returns what its tags are put together from. */
export function parseDirectives({ scan }: Parse): Map<string, string> {
  const prefixes = new Map<string, string>()
  let hasVersion = false
  for (let token = peekToken(scan); ; token = peekToken(scan)) {
    if (token.type === 'version directive') {
      if (hasVersion) throw new YamlSyntaxError('a second %YAML', token.start)
      if (token.version !== '1.1' && token.version !== '1.2')
        throw new YamlSyntaxError(
          `%YAML ${token.version} is not supported; remove the line or write %YAML 1.2`,
          token.start,
        )
      hasVersion = true
    } else if (token.type === 'tag directive') {
      if (prefixes.has(token.handle))
        throw new YamlSyntaxError(`a second %TAG for ${token.handle}`, token.start)
      prefixes.set(token.handle, token.prefix)
    } else break
    takeToken(scan)
  }
  if (!prefixes.has('!')) prefixes.set('!', '!')
  if (!prefixes.has('!!')) prefixes.set('!!', 'tag:yaml.org,2002:')
  return prefixes
}

/** Returns a tag in full. */
export function fullTag({ prefixes }: Parse, { handle, suffix, start }: TagToken): string {
  if (handle === '') return suffix
  const prefix = prefixes.get(handle)
  if (prefix === undefined)
    throw new YamlSyntaxError(`the handle ${handle} of the tag is not declared`, start)
  return prefix + suffix
}

/** Adds the event of a node without any text. */
export function pushEmpty({ events }: Parse, start: number): void {
  events.push({
    type: 'scalar',
    start,
    anchor: undefined,
    tag: undefined,
    value: '',
    style: 'plain',
    valueStart: start,
  })
}

const names: Partial<Record<YamlToken['type'], string>> = {
  'stream end': 'the text ends',
  'document start': 'the document ends',
  'document end': 'the document ends',
  'block end': 'the indentation ends',
  entry: '"-" stands',
  value: '":" stands',
  key: 'a key stands',
  'block mapping': 'a mapping stands',
  'block sequence': 'a list stands',
  scalar: 'text stands',
}

/** Returns the error for a token in place of what was expected. */
export function notExpected(
  { flowLevel }: YamlScan,
  { type, start }: YamlToken,
  expected: string,
): YamlSyntaxError {
  if (type === 'stream end' && flowLevel > 0)
    return new YamlSyntaxError('unexpected end of the stream within a flow collection', start)
  const found = names[type] ?? `"${type}" stands`
  return new YamlSyntaxError(`expected ${expected}, but ${found} here`, start)
}
