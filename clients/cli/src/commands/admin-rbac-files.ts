import { readFile, stat } from 'node:fs/promises'
import { InvalidInputError } from '@wadi/errors/domain-error.ts'
import { mustBe } from '@wadi/fields/field-findings.ts'
import { isJsonObject } from '@wadi/fields/json-object.ts'
import { readYaml } from '@wadi/manifests/read-yaml.ts'
import { lineAt } from '@wadi/manifests/source-line.ts'
import { offsetOfLiteral, offsetOfPath } from '@wadi/manifests/yaml-source.ts'
import { checkedResource } from '@wadi/resources/object-checks.ts'
import type { Resource } from '@wadi/resources/resource.ts'
import { CommandFailure } from '../command-line/command-failure.ts'
import { objectAt, textAt } from '@wadi/fields/json-fields.ts'
import { readObjects } from '../objects/object-input.ts'

/** The settings of a policy file and where they stand in it. */
export interface PolicyFile {
  /** The data of the ConfigMap; `policy.csv` alone when the file is CSV. */
  data: Map<string, string>
  /** Returns the place at which the text of a key begins. */
  place: (key: string) => { source: string; firstLine: number }
}

const maxBytes = 10 * 1024 * 1024

/**
 * Reads a file with lines of a policy, or with the ConfigMap `argocd-rbac-cm` as YAML or JSON.
 * @throws CommandFailure for a file that cannot be read, InvalidInputError (`file:line: …`) for one that is neither.
 */
export async function readPolicyFile(file: string): Promise<PolicyFile> {
  const description = await stat(file, { throwIfNoEntry: false })
  if (!description?.isFile()) throw new CommandFailure(`${file} is not a file`)
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
    throw new CommandFailure(`${origin}: ${resource.kind} ${resource.metadata.name} is not an AppProject`)
  })
}

function readConfigMap(file: string, text: string): PolicyFile {
  const { source, documents } = readYaml(text, file)
  const maps = documents.flatMap(({ value, eventIndex }) => {
    return isJsonObject(value) && value['kind'] === 'ConfigMap' ? [{ object: value, eventIndex }] : []
  })
  const document =
    maps.find(({ object }) => textAt(object, 'metadata', 'name') === 'argocd-rbac-cm') ?? maps[0]
  if (!document)
    throw new InvalidInputError('holds neither lines of a policy nor a ConfigMap', { at: { file } })
  const data = new Map<string, string>()
  const places = new Map<string, { source: string; firstLine: number }>()
  for (const [key, value] of Object.entries(objectAt(document.object, 'data'))) {
    const line = lineAt(text, offsetOfPath(source, document.eventIndex, ['data', key]))
    if (typeof value !== 'string') {
      const reason = `${key} ${mustBe('string', value)}; put it in quotes`
      throw new InvalidInputError(reason, { at: { file, line }, path: key })
    }
    const literal = offsetOfLiteral(source, document.eventIndex, ['data', key])
    const isOneLine = !value.trimEnd().includes('\n')
    data.set(key, value)
    // Only in a literal block is a line of the text a line of the file; any other text has lines of its own.
    if (literal !== undefined) places.set(key, { source: file, firstLine: lineAt(text, literal) })
    else if (isOneLine) places.set(key, { source: file, firstLine: line })
    else places.set(key, { source: `${file}:${line}: ${key}`, firstLine: 1 })
  }
  return { data, place: (key) => places.get(key) ?? { source: file, firstLine: 1 } }
}
