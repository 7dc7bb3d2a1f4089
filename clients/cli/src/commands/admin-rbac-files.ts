import { readFile, stat } from 'node:fs/promises'
import { InvalidInputError } from '@wadi/errors/domain-error.ts'
import { checkedResource } from '@wadi/resources/object-checks.ts'
import type { Resource } from '@wadi/resources/resource.ts'
import { LineCounter, isMap, isScalar, parseAllDocuments } from 'yaml'
import type { Document } from 'yaml'
import { CommandFailure } from '../command-line/command-failure.ts'
import { readObjects } from '../objects/object-input.ts'

/** The settings of a policy file and where they stand in it. */
export interface PolicyFile {
  /** The data of the ConfigMap; `policy.csv` alone when the file is CSV. */
  data: Map<string, string>
  /** Where the text of a key begins. */
  place: (key: string) => { source: string; firstLine: number }
}

const maxBytes = 10 * 1024 * 1024

/**
 * Reads a file with lines of a policy, or with the ConfigMap `argocd-rbac-cm` as YAML or JSON.
 * @throws CommandFailure for a file that cannot be read, InvalidInputError (`file:line: …`) for one that is neither.
 */
export async function readPolicyFile(file: string): Promise<PolicyFile> {
  const description = await stat(file, { throwIfNoEntry: false })
  if (!description?.isFile()) throw new CommandFailure(`${file} is no file`)
  if (description.size > maxBytes) throw new CommandFailure(`${file} is larger than ${maxBytes} bytes`)
  const text = await readFile(file, 'utf8')
  // No line of a policy begins with the key of an object.
  if (/^(?:apiVersion|kind|metadata|data)["']?\s*:|^\s*\{/m.test(text)) return readConfigMap(file, text)
  return { data: new Map([['policy.csv', text]]), place: () => ({ source: file, firstLine: 1 }) }
}

/** Reads the AppProjects of files; other kinds are refused. */
export async function readProjectFiles(files: readonly string[], signal: AbortSignal): Promise<Resource[]> {
  const objects = await readObjects(files, { recursive: false, signal })
  return objects.map(({ object, origin }) => {
    const resource = checkedResource(object)
    if (resource.kind === 'AppProject') return resource
    throw new CommandFailure(`${origin}: ${resource.kind} ${resource.metadata.name} is no AppProject`)
  })
}

function readConfigMap(file: string, text: string): PolicyFile {
  const lines = new LineCounter()
  const lineOf = (offset: number) => lines.linePos(offset).line
  const documents = parseAllDocuments(text, { lineCounter: lines, prettyErrors: false, logLevel: 'error' })
  const found = Array.isArray(documents) ? documents.filter(isConfigMap) : []
  for (const { errors } of documents) {
    const [fault] = errors
    if (fault) throw new InvalidInputError(`${file}:${lineOf(fault.pos[0])}: ${fault.message}`)
  }
  const document = found.find((one) => one.getIn(['metadata', 'name']) === 'argocd-rbac-cm') ?? found[0]
  if (!document) throw new InvalidInputError(`${file}: holds neither lines of a policy nor a ConfigMap`)
  const data = new Map<string, string>()
  const places = new Map<string, { source: string; firstLine: number }>()
  const entries = document.get('data')
  for (const { key, value } of isMap(entries) ? entries.items : []) {
    const name = isScalar(key) ? String(key.value) : ''
    const line = isScalar(value) && value.range ? lineOf(value.range[0]) : 1
    if (!isScalar(value) || typeof value.value !== 'string') {
      throw new InvalidInputError(`${file}:${line}: ${name} has to be a text; put it in quotes`)
    }
    data.set(name, value.value)
    places.set(name, placeOf(file, name, line, value.type, value.value))
  }
  return { data, place: (key) => places.get(key) ?? { source: file, firstLine: 1 } }
}

/** Only in a literal block is a line of the text a line of the file; any other text counts its own lines. */
function placeOf(file: string, key: string, line: number, style: string | undefined, text: string) {
  if (style === 'BLOCK_LITERAL') return { source: file, firstLine: line + 1 }
  if (!text.trimEnd().includes('\n')) return { source: file, firstLine: line }
  return { source: `${file}:${line}: ${key}`, firstLine: 1 }
}

function isConfigMap(document: Document): boolean {
  return isMap(document.contents) && document.get('kind') === 'ConfigMap'
}
