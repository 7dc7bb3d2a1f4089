import { readFile, stat } from 'node:fs/promises'
import { InvalidInputError, errorMessage } from '@wadi/errors/domain-error.ts'
import type { FieldPlaces } from '@wadi/fields/field-places.ts'
import { fileText } from '@wadi/manifests/file-text.ts'
import { readYaml } from '@wadi/manifests/read-yaml.ts'
import { locationOf, offsetOfPath } from '@wadi/manifests/yaml-source.ts'
import { withExactNumbers } from '../exact-number.ts'
import {
  type Fields,
  type Reading,
  below,
  isAbsent,
  itemsOf,
  readFields,
  rejection,
  warn,
} from '../reading.ts'
import { readFlag, readText } from '../values/scalar.ts'
import { type GrantedVariables, readGrantedVariable } from '../variables/granted-variables.ts'
import type { Discovery, PluginDefinition } from './plugin.ts'
import { readCommand } from './read-command.ts'
import { type PluginParameters, readPluginParameters } from './read-plugin-parameters.ts'

const maxPluginFileBytes = 1024 * 1024
const limits = { maxDepth: 100, maxNodes: 100_000 }

/**
 * Reads a plugin from its file, by the rules of Argo CD and in every shape of the proposal.
 *
 * @throws InvalidInputError naming file and line, in Argo CD's words for what it requires.
 */
export async function readPlugin(file: string): Promise<PluginDefinition> {
  const warnings: string[] = []
  const [value, at] = readDocument(file, await readBounded(file))
  const places = { subject: '', above: '', at }
  const root: Reading = { places, path: [], onWarning: (_, placed) => warnings.push(placed) }
  const fields = readFields(root, value, ['apiVersion', 'kind', 'metadata', 'spec'])
  const name = readName(root, fields)
  checkKind(below(root, 'kind'), fields.get('kind'))
  const spec = below(root, 'spec')
  return { ...readSpec(spec, fields.get('spec'), name, warnings), warnings }
}

async function readBounded(file: string): Promise<string> {
  try {
    const found = await stat(file, { throwIfNoEntry: false })
    if (found === undefined) throw new Error('there is no such file')
    const { size } = found
    if (size > maxPluginFileBytes) throw new Error(`larger than ${maxPluginFileBytes} bytes`)
    return fileText(await readFile(file), file)
  } catch (cause) {
    throw new InvalidInputError(`cannot read the plugin ${file}: ${errorMessage(cause)}`, { cause })
  }
}

function readDocument(file: string, text: string): [value: unknown, at: FieldPlaces['at']] {
  const { source, documents } = readYaml(text, file, limits)
  const [document, second] = documents
  if (document === undefined) throw new InvalidInputError('the file holds no plugin', { at: { file } })
  const { eventIndex, value } = document
  const placeIn = (root: number, path: readonly PropertyKey[]) => {
    const steps = path.filter((step) => typeof step !== 'symbol')
    return locationOf(source, offsetOfPath(source, root, steps))
  }
  if (second !== undefined) {
    throw new InvalidInputError('a second document; keep one', { at: placeIn(second.eventIndex, []) })
  }
  return [withExactNumbers(source, eventIndex, value), (path) => placeIn(eventIndex, path)]
}

const invalidFile = 'invalid plugin configuration file.'

function readName(root: Reading, fields: Fields): string {
  const metadata = below(root, 'metadata')
  // Argo CD leaves the other metadata of Kubernetes alone.
  const quiet = { ...metadata, onWarning: () => {} }
  const at = below(metadata, 'name')
  const name = readText(at, readFields(quiet, fields.get('metadata'), ['name']).get('name'))
  if (name === '') {
    throw rejection(
      at,
      `${invalidFile} metadata.name should be non-empty; it is what Applications call the plugin`,
    )
  }
  // The name is a file name of the socket.
  if (!/^[\w-][\w.-]*$/.test(name)) {
    throw rejection(at, `${JSON.stringify(name)} is not a name: use letters, digits, "-", "_" and "."`)
  }
  return name
}

function checkKind(at: Reading, value: unknown): void {
  const kind = readText(at, value)
  if (kind === 'ConfigManagementPlugin') return
  throw rejection(at, `${invalidFile} kind should be ConfigManagementPlugin, found ${kind}`)
}

const specFields = [
  'version',
  'init',
  'generate',
  'discover',
  'parameters',
  'dynamicParameters',
  'variables',
  'preserveFileMode',
  'provideGitCreds',
]
const deadFields = ['lockRepo', 'allowConcurrency']

function readSpec(
  spec: Reading,
  value: unknown,
  name: string,
  warnings: string[],
): Omit<PluginDefinition, 'warnings'> {
  const fields = readFields(spec, value, [...specFields, ...deadFields])
  for (const dead of deadFields.filter((field) => fields.has(field))) {
    warn(below(spec, dead), 'does nothing: every run has its own copy of the files; remove it')
  }
  const generate = readCommand(below(spec, 'generate'), fields.get('generate'))
  if (generate === undefined) {
    const at = below(spec, 'generate')
    throw rejection(at, `${invalidFile} spec.generate command should be non-empty; it prints the manifests`)
  }
  const parameters: PluginParameters = readPluginParameters(spec, fields, warnings)
  const version = readVersion(below(spec, 'version'), fields.get('version'))
  return {
    name: version === '' ? name : `${name}-${version}`,
    version,
    init: readCommand(below(spec, 'init'), fields.get('init')),
    generate,
    discovery: readDiscovery(below(spec, 'discover'), fields.get('discover')),
    ...parameters,
    variables: readVariables(below(spec, 'variables'), fields.get('variables')),
    preserveFileMode: readFlag(below(spec, 'preserveFileMode'), fields.get('preserveFileMode')),
    provideGitCredentials: readFlag(below(spec, 'provideGitCreds'), fields.get('provideGitCreds')),
  }
}

function readVersion(at: Reading, value: unknown): string {
  const version = readText(at, value)
  if (!/^[\w.+-]*$/.test(version)) {
    throw rejection(
      at,
      `${JSON.stringify(version)} is not a version: use letters, digits, "-", "+", "_" and "."`,
    )
  }
  return version
}

function readVariables(at: Reading, value: unknown): GrantedVariables {
  const read = itemsOf(at, value).map((item, index) => {
    const itemAt = below(at, index)
    try {
      return readGrantedVariable(readText(itemAt, item))
    } catch (error) {
      throw rejection(itemAt, errorMessage(error))
    }
  })
  return new Map(read)
}

/** As in Argo CD, the first rule that is configured is the only one. */
function readDiscovery(at: Reading, value: unknown): Discovery | undefined {
  const fields = readFields(at, value, ['fileName', 'find'])
  const findAt = below(at, 'find')
  const find = readFields(findAt, fields.get('find'), ['glob', 'command', 'args'])
  const fileName = readText(below(at, 'fileName'), fields.get('fileName'))
  const glob = readText(below(findAt, 'glob'), find.get('glob'))
  const argv = readCommand(findAt, isAbsent(find.get('command')) ? undefined : Object.fromEntries(find), [
    'glob',
  ])
  const rules: Discovery[] = []
  if (fileName !== '') rules.push({ by: 'fileName', pattern: fileName })
  if (glob !== '') rules.push({ by: 'glob', pattern: glob })
  if (argv !== undefined) rules.push({ by: 'command', argv })
  const [first, second] = rules
  if (second !== undefined)
    warn(at, `has ${rules.length} rules, of which only ${first?.by} applies; keep one`)
  return first
}
