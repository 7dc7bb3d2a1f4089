import { readdirSync } from 'node:fs'
import path from 'node:path'
import { fileIdentity } from '@wadi/containment/file-identity.ts'
import { InvalidInputError } from '@wadi/errors/domain-error.ts'
import { helmOfCharts, kustomizeVersion } from '@wadi/gotemplate/engine-versions.ts'
import { plainVersion, type ToolName, toolNames, wholeVersion } from '@wadi/hydration/tool-versions.ts'
import type { BundledTool } from './bundled-tools.ts'
import { bundledProgram } from './bundled-program.ts'
import type { FindToolsOptions, Kustomize, Tool, Tools } from './find-tools.ts'
import type { ProgramVersions } from './program-versions.ts'
import { canBring } from './tool-program.ts'
import { usableProgram } from './usable-program.ts'

/** The versions that come along. */
const brought = { helm: plainVersion(helmOfCharts), kustomize: plainVersion(kustomizeVersion) }

/** A version beside the installation's own. */
export interface OtherVersion<Found extends Tool = Tool> {
  /** Changes when another program takes its place. */
  readonly identity: string
  /**
   * Looks at the program, the first time.
   * @throws InvalidInputError when it cannot be used or is another version than its directory says, with the reason
   */
  readonly open: () => Promise<Found>
}

/** Versions of each tool as git writes them, without a leading `v`. */
export interface OtherVersions {
  readonly helm: ReadonlyMap<string, OtherVersion>
  readonly kustomize: ReadonlyMap<string, OtherVersion<Kustomize>>
}

/**
 * Finds the versions in the operator's directory, and those that Wadi brings where the installation's own are others. Their programs are
 * looked at when they are asked for.
 */
export function otherVersions(
  own: Pick<Tools, ToolName>,
  options: Pick<FindToolsOptions, 'toolsDirectory' | 'cacheDirectory'>,
  versions: ProgramVersions,
): OtherVersions {
  const open = async (
    program: BundledTool | ToolName,
    version: string,
    command: readonly [string, ...string[]],
  ) => {
    const [file] = command
    const { found, reason } = await usableProgram(program, file, versions)
    if (!found) throw new InvalidInputError(reason)
    if (found.version === `v${version}`) return { command, ...found }
    throw new InvalidInputError(`${file} is ${program} ${found.version} and not ${version}`)
  }
  const helm = new Map<string, OtherVersion>()
  for (const { version, file, identity } of versionsIn(options.toolsDirectory, 'helm')) {
    helm.set(
      version,
      once(identity, () => open('helm', version, [file])),
    )
  }
  const kustomize = new Map<string, OtherVersion<Kustomize>>()
  for (const { version, file, identity } of versionsIn(options.toolsDirectory, 'kustomize')) {
    const find = async () => ({ ...(await open('kustomize', version, [file])), standalone: true })
    kustomize.set(version, once(identity, find))
  }
  if (canBring()) {
    const findHelm = async () => open('helm', brought.helm, [await bundledProgram('helm', options)])
    helm.getOrInsert(brought.helm, once('brought', findHelm))
    const findKustomize = async () => {
      const kubectl = await bundledProgram('kubectl', options)
      return { ...(await open('kubectl', brought.kustomize, [kubectl, 'kustomize'])), standalone: false }
    }
    kustomize.getOrInsert(brought.kustomize, once('brought', findKustomize))
  }
  helm.delete(plainVersion(own.helm.version))
  kustomize.delete(plainVersion(own.kustomize.version))
  return { helm, kustomize }
}

/** Changes when the operator puts a program into the directory, replaces or removes one; empty without a directory. */
export function directoryIdentity(directory: string | undefined): string {
  const programs = toolNames.flatMap((name) => versionsIn(directory, name))
  return programs.map(({ file, identity }) => `${file} ${identity}`).join('\n')
}

/** Remembers what was found; an error is found again. */
function once<Found extends Tool>(identity: string, find: () => Promise<Found>): OtherVersion<Found> {
  let finding: Promise<Found> | undefined
  const open = async (): Promise<Found> => {
    finding ??= find()
    try {
      return await finding
    } catch (error) {
      finding = undefined
      throw error
    }
  }
  return { identity, open }
}

function versionsIn(
  directory: string | undefined,
  name: ToolName,
): { version: string; file: string; identity: string }[] {
  if (directory === undefined) return []
  return subdirectories(path.join(directory, name)).flatMap((entry) => {
    const file = path.join(directory, name, entry, name)
    const identity = fileIdentity(file)
    return identity === undefined ? [] : [{ version: plainVersion(entry), file, identity }]
  })
}

/** The names of versions, sorted by how they are written. */
function subdirectories(directory: string): string[] {
  try {
    return readdirSync(directory)
      .filter((name) => wholeVersion.test(name))
      .toSorted()
  } catch {
    return []
  }
}
