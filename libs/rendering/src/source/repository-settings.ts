import { InvalidInputError } from '@wadi/errors/domain-error.ts'
import { formatLocation } from '@wadi/errors/location.ts'
import type { PolicyFile } from '@wadi/gates/gate.ts'
import type { GateSettings } from '@wadi/gates/settings/gate-settings.ts'
import { fileText } from '@wadi/manifests/file-text.ts'
import type { Manifest } from '@wadi/manifests/manifest.ts'
import { readLocatedYaml } from '@wadi/params/yaml/located-yaml.ts'
import { locatedFields } from '@wadi/params/values/located-fields.ts'
import { partOf } from '@wadi/params/values/located.ts'
import { isList } from '@wadi/params/values/value-tree.ts'
import { isValueMap, type Located } from '@wadi/params/values/value.ts'
import { toolNames } from '@wadi/hydration/tool-versions.ts'
import { noPins, type ToolPins, toolPin } from '@wadi/renderer-tools/tool-pins.ts'
import { followPath } from '@wadi/file-trees/follow-links.ts'
import { repositoryPath } from '@wadi/file-trees/repository-path.ts'
import type { TracingTree } from '@wadi/file-trees/tracing-tree.ts'

/** The file of operators' settings for the whole repository, at its root. */
export const settingsFile = 'wadi.yaml'

/** Largest settings file, in bytes. */
const maxFileBytes = 1024 * 1024

/** The settings of a repository. */
export interface RepositorySettings {
  /** The only directories that operators' objects are read from; undefined when they may be beside workloads. */
  readonly platform: readonly string[] | undefined
  /** True if packages may have their actions run in a sandbox. */
  readonly allowsActions: boolean
}

const choices = { actions: ['deny', 'allow'], determinism: ['once', 'strict'] } as const

/**
 * Reads `wadi.yaml`; without the file everything has its default: `platform` unset, `actions: deny`, `determinism: once`.
 * @throws InvalidInputError with the place of an unknown key or a value that is none of those allowed
 */
export async function readRepositorySettings(trace: TracingTree): Promise<RepositorySettings> {
  const settings = await readSettings(trace)
  if (settings === undefined) return { platform: undefined, allowsActions: false }
  return {
    platform:
      settings.platform &&
      (await readDirectories(trace, settings.platform, 'platform')).map(({ path }) => path),
    allowsActions: settings.actions === 'allow',
  }
}

/** The settings that concern every source. The directories of `platform` are not checked, as they concern only packages and workloads. */
export interface RenderSettings {
  /** True if everything of the repository is rendered twice each time, and a difference is an error. */
  readonly isStrict: boolean
  /** The versions that render what names none itself. */
  readonly repositoryPins: ToolPins
  /** They decide no result. */
  readonly gates: GateSettings
}

/**
 * Reads what `wadi.yaml` says of every source.
 * @throws InvalidInputError with the place of an unknown key or a value that is none of those allowed
 */
export async function readRenderSettings(trace: TracingTree): Promise<RenderSettings> {
  const settings = await readSettings(trace)
  if (settings === undefined) return { isStrict: false, repositoryPins: noPins, gates: noGates }
  const { determinism, tools, gates } = settings
  return { isStrict: determinism === 'strict', repositoryPins: tools, gates }
}

/**
 * Reads the gates and waivers of `wadi.yaml`; none without the file.
 * @throws InvalidInputError with the place of an unknown key or a value that is none of those allowed
 */
export async function readGateSettings(trace: TracingTree): Promise<GateSettings> {
  return (await readSettings(trace))?.gates ?? noGates
}

/**
 * Reads the CustomResourceDefinitions in the directories that `definitions` of `wadi.yaml` names; none without the file.
 * @throws InvalidInputError with the place of a directory that does not exist, or of a file that is not manifests
 */
export async function readCustomDefinitions(trace: TracingTree): Promise<readonly Manifest[]> {
  const part = (await readSettings(trace))?.definitions
  if (part === undefined) return []
  const { readDefinitionFiles } = await import('./definition-files.ts')
  const directories = await readDirectories(trace, part, 'definitions')
  const read = directories.map(({ target, id }) => readDefinitionFiles(trace, target, id))
  return (await Promise.all(read)).flat()
}

/**
 * Reads the files that `policies` of `wadi.yaml` names; none without the file.
 * @throws what `readPolicyFiles` throws
 */
export async function readRepositoryPolicies(trace: TracingTree): Promise<readonly PolicyFile[]> {
  const part = (await readSettings(trace))?.policies
  if (part === undefined) return []
  const { readPolicyFiles } = await import('./policy-files.ts')
  return readPolicyFiles(trace, part)
}

/** The keys that `readGates` reads. */
const gateKeys = ['gates', 'waivers', 'waiverAnnotations'] as const

const noGates: GateSettings = { gates: {}, waivers: [], waiverAnnotations: [] }

/** The contents of the file; all of it is checked but `platform`, `definitions` and `policies`. */
interface WrittenSettings {
  readonly platform: Located | undefined
  readonly actions: string
  readonly determinism: string
  readonly tools: ToolPins
  readonly gates: GateSettings
  readonly definitions: Located | undefined
  readonly policies: Located | undefined
}

/** The file is read once for a source, by the inspection that has its own trace. */
const known = new WeakMap<TracingTree, Promise<WrittenSettings | undefined>>()

function readSettings(trace: TracingTree): Promise<WrittenSettings | undefined> {
  return known.getOrInsertComputed(trace, () => parseSettings(trace))
}

async function parseSettings(trace: TracingTree): Promise<WrittenSettings | undefined> {
  const found = await followPath(trace, settingsFile)
  if (found === undefined || found.entry.kind === 'directory') return undefined
  const text = fileText(await trace.read(found.target, maxFileBytes), settingsFile)
  const document = readLocatedYaml(text, settingsFile, { rules: 'kubernetes' })
  locatedFields().known(
    document,
    ['platform', 'diff', 'tools', ...gateKeys, 'definitions', 'policies', ...Object.keys(choices)],
    '',
  )
  return {
    platform: partOf(document, 'platform'),
    actions: choice(document, 'actions'),
    determinism: choice(document, 'determinism'),
    tools: toolPins(partOf(document, 'tools')),
    gates: await gateSettings(document),
    definitions: partOf(document, 'definitions'),
    policies: partOf(document, 'policies'),
  }
}

function choice(document: Located, key: keyof typeof choices): string {
  const part = partOf(document, key)
  const [initial] = choices[key]
  if (part === undefined) return initial
  const chosen = choices[key].find((one) => one === part.value)
  if (chosen !== undefined) return chosen
  throw new InvalidInputError(`${key} must be ${choices[key].join(' or ')}`, { at: part.at, path: key })
}

/** Few repositories have gates, so their code is loaded for those alone. */
async function gateSettings(document: Located): Promise<GateSettings> {
  if (gateKeys.every((key) => partOf(document, key) === undefined)) return noGates
  const { readGates } = await import('@wadi/gates/settings/gate-settings.ts')
  return readGates(document)
}

function toolPins(part: Located | undefined): ToolPins {
  if (part === undefined) return noPins
  if (!isValueMap(part.value)) {
    const reason = 'tools must be an object with versions, such as {helm: 4.3.1, kustomize: 5.8.3}'
    throw new InvalidInputError(reason, { at: part.at, path: 'tools' })
  }
  locatedFields().known(part, toolNames, 'tools.')
  const pins = toolNames.flatMap((name) => {
    const version = partOf(part, name)
    return version === undefined
      ? []
      : [[name, toolPin(version.value, `tools.${name}`, version.at, 'operator')] as const]
  })
  return Object.fromEntries(pins)
}

interface NamedDirectory {
  /** As it is written. */
  readonly path: string
  /** Without links. */
  readonly target: string
  readonly id: string
}

async function readDirectories(trace: TracingTree, part: Located, key: string): Promise<NamedDirectory[]> {
  const { at } = part
  const directories: NamedDirectory[] = []
  for (const directory of isList(part.value) ? part.value : [part.value]) {
    if (typeof directory !== 'string') {
      const reason = `${key} must be a list of directories of this repository`
      throw new InvalidInputError(reason, { at, path: key })
    }
    const path = repositoryPath(directory, `${formatLocation(at)}: ${key}`)
    const found = await followPath(trace, path)
    if (found?.entry.kind !== 'directory') {
      const reason = `${key} "${directory}" is not a directory; create it or remove it`
      throw new InvalidInputError(reason, { at, path: key })
    }
    directories.push({ path, target: found.target, id: found.entry.id })
  }
  return directories
}
