import { peekToken, takeToken } from './scan-tokens.ts'
import { type Parse, fullTag, notExpected, parseDirectives, pushEmpty } from './parse-state.ts'
import type { NodeProperties, YamlEvent } from './yaml-event.ts'
import { beginScan } from './yaml-scan.ts'
import type { YamlToken } from './yaml-scan.ts'

/** A text whose collections are nested deeper than allowed. */
export class YamlDepthError extends Error {
  /** The offset in the text. */
  readonly offset: number

  constructor(offset: number) {
    super('nested too deep')
    this.offset = offset
  }
}

/** The part of a text that is read. */
export interface ParsedPart {
  /** The maximum nesting of collections. */
  readonly maxDepth: number
  /** True when the first document is all that is read; what follows it may then be anything, as for Go's `Unmarshal`. */
  readonly isFirstOnly: boolean
}

/**
 * Splits a text into the steps of its syntax, with the rules of Go's YAML library `go.yaml.in/yaml/v2`, which `sigs.k8s.io/yaml` and with it
 * Kubernetes, Helm and Argo CD read with.
 *
 * @throws YamlSyntaxError for a text that it refuses, YamlDepthError for one that is nested too deep
 */
export function parseYamlEvents(text: string, { maxDepth, isFirstOnly }: ParsedPart): YamlEvent[] {
  const parse: Parse = {
    scan: beginScan(text),
    events: [],
    maxDepth,
    depth: 0,
    prefixes: new Map(),
  }
  if (peekToken(parse.scan).type !== 'stream end') parseDocument(parse, true)
  if (!isFirstOnly) parseOthers(parse)
  return parse.events
}

function parseOthers(parse: Parse): void {
  for (;;) {
    const { type } = peekToken(parse.scan)
    if (type === 'stream end') return
    if (type === 'document end') takeToken(parse.scan)
    else parseDocument(parse, false)
  }
}

const endsOfDocument: ReadonlySet<YamlToken['type']> = new Set([
  'version directive',
  'tag directive',
  'document start',
  'document end',
  'stream end',
])

function parseDocument(parse: Parse, mayBeImplicit: boolean): void {
  const { scan, events } = parse
  const { type, start } = peekToken(scan)
  const isImplicit = mayBeImplicit && !(endsOfDocument.has(type) && type !== 'document end')
  parse.prefixes = parseDirectives(parse)
  events.push({ type: 'document', start })
  if (isImplicit) parseNode(parse, 'block')
  else {
    const marker = peekToken(scan)
    if (marker.type !== 'document start') throw notExpected(scan, marker, 'the end of the document or ---')
    takeToken(scan)
    const next = peekToken(scan)
    if (endsOfDocument.has(next.type)) pushEmpty(parse, next.start)
    else parseNode(parse, 'block')
  }
  const end = peekToken(scan)
  if (end.type === 'document end') takeToken(scan)
  events.push({ type: 'end', start: end.start })
}

/** The context of a node: a block, one whose lists may begin at the column of their key, or a flow collection. */
type Context = 'block' | 'block value' | 'flow'

function parseNode(parse: Parse, context: Context): void {
  const { scan, events } = parse
  const first = peekToken(scan)
  if (first.type === 'alias') {
    takeToken(scan)
    events.push({ type: 'alias', start: first.start, anchor: first.value })
    return
  }
  const properties = parseProperties(parse, first)
  const token = peekToken(scan)
  if (token.type === 'scalar') {
    takeToken(scan)
    const { value, style, valueStart } = token
    // Behind a quotation mark, where the text begins that is wrong.
    const start = first === token && style.endsWith('quoted') ? valueStart : properties.start
    events.push({ type: 'scalar', ...properties, start, value, style, valueStart })
  } else if (token.type === 'entry' && context === 'block value') {
    parseCollection(parse, 'sequence', properties, () => parseIndentlessEntries(parse))
  } else if (token.type === '[') {
    parseCollection(parse, 'sequence', properties, () => parseFlowItems(parse))
  } else if (token.type === '{') {
    parseCollection(parse, 'mapping', properties, () => parseFlowMembers(parse))
  } else if (token.type === 'block sequence' && context !== 'flow') {
    parseCollection(parse, 'sequence', properties, () => parseBlockEntries(parse))
  } else if (token.type === 'block mapping' && context !== 'flow') {
    parseCollection(parse, 'mapping', properties, () => parseBlockMembers(parse))
  } else if (properties.anchor !== undefined || properties.tag !== undefined) {
    events.push({ type: 'scalar', ...properties, value: '', style: 'plain', valueStart: properties.start })
  } else throw notExpected(scan, token, 'a value')
}

function parseProperties(parse: Parse, first: YamlToken): NodeProperties {
  const { scan } = parse
  let anchor: string | undefined
  let tag: string | undefined
  for (let token = first; ; token = peekToken(scan)) {
    if (token.type === 'anchor' && anchor === undefined) anchor = token.value
    else if (token.type === 'tag' && tag === undefined) tag = fullTag(parse, token)
    else break
    takeToken(scan)
  }
  return { start: first.start, anchor, tag }
}

function parseCollection(
  parse: Parse,
  type: 'sequence' | 'mapping',
  properties: NodeProperties,
  parseMembers: () => number,
): void {
  if (++parse.depth > parse.maxDepth) throw new YamlDepthError(properties.start)
  parse.events.push({ type, ...properties })
  const start = parseMembers()
  parse.events.push({ type: 'end', start })
  parse.depth--
}

/** Reads a node, or nothing where one of the tokens follows that end it. `start` is where nothing then stands. */
function parseOptional(
  parse: Parse,
  context: Context,
  start: number | undefined,
  ends: readonly YamlToken['type'][],
): void {
  const token = peekToken(parse.scan)
  if (ends.includes(token.type)) pushEmpty(parse, start ?? token.start)
  else parseNode(parse, context)
}

const endsOfMember = ['key', 'value', 'block end'] as const

function parseBlockEntries(parse: Parse): number {
  const { scan } = parse
  takeToken(scan)
  for (let token = peekToken(scan); ; token = peekToken(scan)) {
    if (token.type !== 'entry' && token.type !== 'block end')
      throw notExpected(scan, token, 'an item with "- "')
    takeToken(scan)
    if (token.type === 'block end') return token.start
    parseOptional(parse, 'block', token.start, ['entry', 'block end'])
  }
}

/** A list at the column of its key, which has no token for its end. */
function parseIndentlessEntries(parse: Parse): number {
  const { scan } = parse
  for (let token = peekToken(scan); ; token = peekToken(scan)) {
    if (token.type !== 'entry') return token.start
    takeToken(scan)
    parseOptional(parse, 'block', token.start, ['entry', ...endsOfMember])
  }
}

function parseBlockMembers(parse: Parse): number {
  const { scan } = parse
  takeToken(scan)
  for (let token = peekToken(scan); ; token = peekToken(scan)) {
    if (token.type !== 'key' && token.type !== 'block end') throw notExpected(scan, token, 'a key')
    takeToken(scan)
    if (token.type === 'block end') return token.start
    parseOptional(parse, 'block value', token.start, endsOfMember)
    const value = peekToken(scan)
    if (value.type === 'value') {
      takeToken(scan)
      parseOptional(parse, 'block value', value.start, endsOfMember)
    } else pushEmpty(parse, value.start)
  }
}

function parseFlowItems(parse: Parse): number {
  return parseFlow(parse, ']', () => {
    const token = peekToken(parse.scan)
    if (token.type !== 'key') return parseNode(parse, 'flow')
    takeToken(parse.scan)
    const properties = { start: token.start, anchor: undefined, tag: undefined }
    parseCollection(parse, 'mapping', properties, () => parsePair(parse))
  })
}

/** Reads the one member of a mapping that stands in a list without braces. */
function parsePair(parse: Parse): number {
  const { scan } = parse
  const key = peekToken(scan)
  if (['value', ',', ']'].includes(key.type)) {
    // Go takes whatever follows.
    takeToken(scan)
    pushEmpty(parse, key.start)
  } else parseNode(parse, 'flow')
  parseFlowValue(parse, ']')
  return peekToken(scan).start
}

function parseFlowMembers(parse: Parse): number {
  return parseFlow(parse, '}', () => {
    if (peekToken(parse.scan).type === 'key') {
      takeToken(parse.scan)
      parseOptional(parse, 'flow', undefined, ['value', ',', '}'])
      parseFlowValue(parse, '}')
    } else {
      parseNode(parse, 'flow')
      pushEmpty(parse, peekToken(parse.scan).start)
    }
  })
}

function parseFlowValue(parse: Parse, end: ']' | '}'): void {
  const { scan } = parse
  const token = peekToken(scan)
  if (token.type !== 'value') return pushEmpty(parse, token.start)
  takeToken(scan)
  parseOptional(parse, 'flow', undefined, [',', end])
}

/** Reads what is between brackets or braces, with a comma after each part. */
function parseFlow(parse: Parse, end: ']' | '}', parsePart: () => void): number {
  const { scan } = parse
  takeToken(scan)
  for (let isFirst = true; ; isFirst = false) {
    if (!isFirst && peekToken(scan).type !== end) {
      const comma = peekToken(scan)
      if (comma.type !== ',') throw notExpected(scan, comma, `"," or "${end}"`)
      takeToken(scan)
    }
    const token = peekToken(scan)
    if (token.type !== end) parsePart()
    else {
      takeToken(scan)
      return token.start
    }
  }
}
