import { ResourceExhaustedError, InvalidInputError } from '@wadi/errors/domain-error.ts'
import { canonicalJson } from '@wadi/manifests/canonical-json.ts'
import { composeYaml } from '@wadi/manifests/compose-yaml.ts'
import { readDocumentStream } from '@wadi/manifests/document-stream.ts'
import { manifestToJson, parseJson } from '@wadi/manifests/manifest-json.ts'
import type { JsonValue } from '@wadi/manifests/manifest.ts'
import { plainNodes } from '@wadi/manifests/plain-nodes.ts'
import { splitDocuments } from '@wadi/manifests/split-documents.ts'
import { readYamlSource } from '@wadi/manifests/yaml-source.ts'
import type { GoReading } from '@wadi/testing/yaml-decoders/read-with-go.ts'

const limits = { maxDepth: 200, maxNodes: 200_000 }

/** The documents that a reader finds in a text, or why there are none. */
interface Reading {
  readonly documents: readonly string[]
  readonly error: string | undefined
  /** True when a key stands twice in a mapping. */
  readonly hasDuplicates: boolean
}

/** A text that is read otherwise than by Go. */
export interface Difference {
  /** The name of a difference that is documented in docs/reference/yaml.md, or `undocumented`. */
  readonly kind: string
  readonly detail: string
}

/** Compares what Wadi reads in a text with what Go's libraries do; undefined where it is the same. */
export function differenceOf(text: string, go: GoReading): Difference | undefined {
  const document = reading((onDuplicateKey) => firstDocument(text, onDuplicateKey))
  const goDocument = go.document === 'null' || go.document === undefined ? [] : [go.document]
  const stream = reading((onDuplicateKey) => allDocuments(text, onDuplicateKey))
  return (
    compare(text, 'document', document, goDocument, go.documentError) ??
    compare(text, 'stream', stream, go.stream, go.streamError)
  )
}

function firstDocument(text: string, onDuplicateKey: () => void): JsonValue[] {
  const source = readYamlSource('f.yaml', text, limits.maxDepth, { isFirstOnly: true })
  return composeYaml(source, plainNodes(source), { ...limits, wantedDocuments: 1 }, onDuplicateKey)
    .map(({ value }) => value)
    .filter((value) => value !== null)
}

function allDocuments(text: string, onDuplicateKey: () => void): JsonValue[] {
  return [...readDocumentStream(text, 'f.yaml', limits, onDuplicateKey)]
    .map(({ value }) => value)
    .filter((value) => value !== null)
}

/** Returns the documents that Go's decoder of streams reads: the first one between two lines of `---`, whatever is behind its end. */
function firstDocuments(text: string): Reading {
  return reading((onDuplicateKey) =>
    splitDocuments(text).flatMap((part) => firstDocument(part.text, onDuplicateKey)),
  )
}

function reading(read: (onDuplicateKey: () => void) => JsonValue[]): Reading {
  let hasDuplicates = false
  try {
    const documents = read(() => (hasDuplicates = true))
    return { documents: documents.map(canonical), error: undefined, hasDuplicates }
  } catch (error) {
    if (error instanceof ResourceExhaustedError) return { documents: [], error: 'limit', hasDuplicates }
    if (!(error instanceof InvalidInputError)) throw error
    return { documents: [], error: error.message, hasDuplicates }
  }
}

/** In JSON, as one spelling stands there for the float 2^63 and the integer. */
function canonical(value: JsonValue): string {
  const { value: again } = { value: parseJson(manifestToJson({ value }).slice('{"value":'.length, -1)) }
  return canonicalJson(again)
}

function compare(
  text: string,
  reader: 'document' | 'stream',
  ours: Reading,
  theirs: readonly string[],
  theirError: string | undefined,
): Difference | undefined {
  if (ours.error !== undefined && theirError !== undefined) return undefined
  const detail = `${reader}: ${differing(
    ours.error ?? ours.documents.join(' ; '),
    theirError ?? theirs.map(canonicalOf).join(' ; '),
  )}`
  const same = ({ documents }: Reading) =>
    documents.length === theirs.length &&
    theirs.every((document, index) => canonicalOf(document) === documents[index])
  if (ours.error === undefined && theirError === undefined && same(ours)) return undefined
  const isTheirs = (documents: Reading) =>
    theirError === undefined && documents.error === undefined && same(documents)
  const kind = documented.find(({ applies }) => applies({ text, reader, ours, theirError, isTheirs }))?.kind
  return { kind: kind ?? 'undocumented', detail }
}

/** Two texts without what they begin with both. */
function differing(ours: string, theirs: string): string {
  let equal = 0
  while (equal < ours.length && ours[equal] === theirs[equal]) equal++
  const from = Math.max(0, equal - 40)
  return `${ours.slice(from, from + 200)} <> ${theirs.slice(from, from + 200)}`
}

function canonicalOf(json: string): string {
  return canonicalJson(parseJson(json))
}

/** Of keys that become equal, Go takes either value by chance. */
function isEitherWay(isTheirs: Case['isTheirs'], ours: Reading): boolean {
  return isTheirs(ours) || (ours.error === undefined && ours.hasDuplicates)
}

interface Case {
  readonly text: string
  readonly reader: 'document' | 'stream'
  readonly ours: Reading
  readonly theirError: string | undefined
  /** True when a reading is that of Go. */
  readonly isTheirs: (documents: Reading) => boolean
}

/** The rows of the table in docs/reference/yaml.md. */
const documented: readonly { kind: string; applies: (found: Case) => boolean }[] = [
  { kind: 'limits', applies: ({ ours }) => ours.error === 'limit' },
  {
    kind: 'excessive aliasing',
    applies: ({ theirError }) => theirError?.includes('excessive aliasing') === true,
  },
  { kind: 'byte order mark inside', applies: ({ text }) => text.includes('\ufeff', 1) },
  { kind: 'keys that become equal', applies: ({ ours }) => ours.hasDuplicates && ours.error === undefined },
  {
    kind: 'more behind the end of the document',
    applies: ({ text, ours, reader, isTheirs }) =>
      reader === 'stream' && ours.error !== undefined && isEitherWay(isTheirs, firstDocuments(text)),
  },
  {
    kind: 'empty collection as the first key',
    applies: ({ text, ours, isTheirs }) => {
      const [head] = /^[^[{]*(?:\[\s*\]|\{\s*\})(?=\s*[^\s])/.exec(text) ?? []
      return (
        head !== undefined &&
        ours.error !== undefined &&
        isTheirs(reading((onDuplicateKey) => firstDocument(head, onDuplicateKey)))
      )
    },
  },
  {
    kind: 'characters behind the end of the document',
    applies: ({ ours, reader }) =>
      reader === 'document' && ours.error?.includes('control character') === true,
  },
  {
    kind: 'infinity that another value replaces',
    applies: ({ text, reader, ours, isTheirs }) => {
      const read = reader === 'stream' ? allDocuments : firstDocument
      const finite = text.replaceAll(/[-+]?\.(?:inf|nan)/gi, '0')
      return (
        ours.error?.includes('is a number that JSON cannot hold') === true &&
        isEitherWay(
          isTheirs,
          reading((onDuplicateKey) => read(finite, onDuplicateKey)),
        )
      )
    },
  },
  {
    kind: 'text behind or in front of objects of JSON',
    applies: ({ text, ours, theirError }) =>
      /^\s*\{/.test(text) &&
      ours.error === undefined &&
      theirError !== undefined &&
      !/yaml/i.test(theirError),
  },
  { kind: 'tab in front of {', applies: ({ text }) => /^\s*\t\s*\{/.test(text) },
  { kind: '--- behind an odd end of a line', applies: ({ text }) => /[\r\u0085\u2028\u2029]---/.test(text) },
  { kind: 'CR CR LF', applies: ({ text }) => text.includes('\r\r\n') },
  {
    kind: '... below ---',
    applies: ({ text, theirError }) =>
      theirError !== undefined && /^---[^\n]*\n(?:[ \t]*(?:#.*)?\r?\n)*\.\.\./m.test(text),
  },
  {
    kind: 'directives',
    applies: ({ text, theirError }) => theirError !== undefined && /^\ufeff?%/m.test(text),
  },
  {
    kind: 'text on the line of ---',
    applies: ({ theirError }) => theirError?.includes('invalid Yaml document separator') === true,
  },
]
