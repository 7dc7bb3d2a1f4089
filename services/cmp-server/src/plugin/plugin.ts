import { readFile, stat } from 'node:fs/promises'
import { InvalidInputError, errorMessage } from '@wadi/errors/domain-error.ts'
import { composeYaml } from '@wadi/manifests/compose-yaml.ts'
import { type YamlSource, offsetOfPath, placeOf, readYamlSource } from '@wadi/manifests/yaml-source.ts'
import type { z } from 'zod'
import { type announcementSchema, pluginSchema } from './plugin-schema.ts'

/** A parameter that a plugin announces. */
export type Announcement = z.infer<typeof announcementSchema>

/** How a plugin finds out whether an application is its own. */
export type Discovery =
  | { by: 'fileName'; pattern: string }
  | { by: 'glob'; pattern: string }
  | { by: 'command'; argv: readonly string[] }

/** A config management plugin. */
export interface Plugin {
  /** `name`, or `name-version` for a plugin with a version: what Applications name and the socket is called. */
  name: string
  /** Run before `generate`; undefined when there is nothing to prepare. */
  init: readonly string[] | undefined
  generate: readonly string[]
  discovery: Discovery | undefined
  announcements: readonly Announcement[]
  /** Prints further announcements as JSON. */
  announce: readonly string[] | undefined
  preserveFileMode: boolean
  provideGitCredentials: boolean
  /** Fields of the file that mean nothing, as `file:line: field`. */
  unknownFields: readonly string[]
}

const largestPluginFile = 1024 * 1024
const limits = { maxDepth: 100, maxNodes: 100_000 }

/**
 * Reads a plugin from its file.
 * @throws InvalidInputError naming file and line
 */
export async function readPlugin(file: string): Promise<Plugin> {
  const source = readYamlSource(file, await readBounded(file), limits.maxDepth)
  const [document, second] = composeYaml(source, limits).filter(({ value }) => value !== null)
  if (document === undefined) throw new InvalidInputError(`${file}: the file holds no plugin`)
  if (second !== undefined) {
    throw new InvalidInputError(
      `${placeOf(source, offsetOfPath(source, second.eventIndex, []))}: a second document; keep one`,
    )
  }
  const at = (path: readonly PropertyKey[]) => place(source, document.eventIndex, path)
  const { data, error } = pluginSchema.safeParse(document.value)
  if (error !== undefined) {
    const faults = error.issues.map((issue) => `${at(issue.path)}: ${issue.path.join('.')}: ${issue.message}`)
    throw new InvalidInputError(`no valid ConfigManagementPlugin: ${faults.join('; ')}`)
  }
  const { metadata, spec } = data
  return {
    name: spec.version ? `${metadata.name}-${spec.version}` : metadata.name,
    init: argvOf(spec.init),
    generate: [...spec.generate.command, ...spec.generate.args],
    discovery: discoveryOf(spec.discover),
    announcements: spec.parameters?.static ?? [],
    announce: argvOf(spec.parameters?.dynamic),
    preserveFileMode: spec.preserveFileMode,
    provideGitCredentials: spec.provideGitCreds,
    unknownFields: unknownFields(document.value, data).map((path) => `${at(path)}: ${path.join('.')}`),
  }
}

async function readBounded(file: string): Promise<string> {
  try {
    const { size } = await stat(file)
    if (size > largestPluginFile) throw new Error(`larger than ${largestPluginFile} bytes`)
    return await readFile(file, 'utf8')
  } catch (cause) {
    throw new InvalidInputError(`cannot read the plugin ${file}: ${errorMessage(cause)}`, { cause })
  }
}

type Spec = z.infer<typeof pluginSchema>['spec']

/** As in Argo CD, the first rule that is configured is the only one. */
function discoveryOf(discover: Spec['discover']): Discovery | undefined {
  if (discover?.fileName) return { by: 'fileName', pattern: discover.fileName }
  if (discover?.find?.glob) return { by: 'glob', pattern: discover.find.glob }
  const argv = argvOf(discover?.find)
  return argv && { by: 'command', argv }
}

function argvOf(command: { command: string[]; args: string[] } | null | undefined): string[] | undefined {
  return command && command.command.length > 0 ? [...command.command, ...command.args] : undefined
}

function place(source: YamlSource, eventIndex: number, path: readonly PropertyKey[]): string {
  const steps = path.filter((step) => typeof step !== 'symbol')
  return placeOf(source, offsetOfPath(source, eventIndex, steps))
}

/** The fields of what was written that are not in what was understood. */
function unknownFields(
  written: unknown,
  understood: unknown,
  at: readonly (string | number)[] = [],
): (string | number)[][] {
  if (!isTree(written) || !isTree(understood)) return []
  return Object.entries(written).flatMap(([key, value]) => {
    const path = [...at, Array.isArray(written) ? Number(key) : key]
    return Object.hasOwn(understood, key) ? unknownFields(value, understood[key], path) : [path]
  })
}

function isTree(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}
