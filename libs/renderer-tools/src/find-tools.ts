import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { findProgram, pathDirectories } from '@wadi/containment/find-program.ts'
import { FailedPreconditionError, InvalidInputError } from '@wadi/errors/domain-error.ts'
import type { Tool as RecordedTool } from '@wadi/protocol/gen/wadi/repo_server/v1/repo_server_pb.ts'
import { toolNames } from '@wadi/hydration/tool-versions.ts'
import { bundledProgram } from './bundled-program.ts'
import { type Downloads, type OtherBuilds, otherVersions, type OtherVersions } from './other-versions.ts'
import { ProgramVersions } from './program-versions.ts'
import { isWholeVersion, type ToolProgram } from './tool-program.ts'
import { usableProgram } from './usable-program.ts'

/** A program that renders. */
export interface Tool {
  readonly command: readonly string[]
  /** As the program reports it; with the beginning of its digest when that is not all of it. */
  readonly version: string
  /** Its file; absent for one that is given and not found. */
  readonly program?: ToolProgram
}

/** A Kustomize. */
export interface Kustomize extends Tool {
  /** True for `kustomize` itself, false for `kubectl kustomize`. */
  readonly standalone: boolean
}

/** The renderers of this machine. */
export interface Tools {
  readonly helm: Tool
  readonly kustomize: Kustomize
  /** Versions beside these that git may ask for; absent for none. */
  readonly others?: OtherVersions
  /** Programs beside these of the same versions; absent for none. */
  readonly builds?: OtherBuilds
  /** True if a version that is asked for and not there may be downloaded; false by default. */
  readonly mayDownload?: boolean
  /** Identifies the list of what may be downloaded; absent where nothing is. */
  readonly downloads?: string
  /** True for a command on somebody's own machine, to which they add versions themselves. */
  readonly isLocal?: boolean
  /** Programs of `PATH` that are not used, each with the reason. */
  readonly passedOver?: readonly string[]
}

/** The places in which renderers are searched. */
export interface FindToolsOptions {
  /** Directory for unpacked binaries and known versions, kept between starts. */
  readonly cacheDirectory: string
  /** Paths of binaries to take instead of searching `PATH`. */
  readonly helm?: string
  readonly kustomize?: string
  readonly kubectl?: string
  /** Directory of the operator with further versions, each as `<tool>/<version>/<tool>`. */
  readonly toolsDirectory?: string
  /** Releases that may be downloaded; absent where nothing is. */
  readonly downloads?: Downloads | undefined
  readonly signal?: AbortSignal
}

/**
 * Finds Helm and Kustomize: the given paths, else `helm` and `kustomize` on `PATH`, else `kubectl` on `PATH` for its
 * Kustomize, else the binaries of the npm package that comes along. A binary of `PATH` that cannot be used is passed over.
 * @throws FailedPreconditionError if one of them cannot be had on this machine, or may not be executed where it is;
 *   InvalidInputError for a given path that cannot be used
 */
export async function findTools(options: FindToolsOptions): Promise<Tools> {
  mkdirSync(options.cacheDirectory, { recursive: true })
  const versions = new ProgramVersions(join(options.cacheDirectory, 'tool-versions.json'), options.signal)
  const passedOver: string[] = []
  const helm = await findHelm(options, versions, passedOver)
  const kustomize = await findKustomize(options, versions, passedOver)
  const { others, builds } = otherVersions({ helm, kustomize }, options, versions)
  const downloads = options.downloads && { downloads: options.downloads.identity }
  return { helm, kustomize, others, builds, ...downloads, ...(passedOver.length > 0 && { passedOver }) }
}

async function findHelm(
  options: FindToolsOptions,
  versions: ProgramVersions,
  passedOver: string[],
): Promise<Tool> {
  const binary = options.helm ?? findOnPath('helm')
  if (binary !== undefined) {
    const { found, reason } = await usableProgram('helm', binary, versions)
    const isGiven = options.helm !== undefined
    if (!found) {
      if (isGiven) throw new InvalidInputError(reason)
      passedOver.push(`${reason}, so Wadi uses the helm that it brings`)
    } else if (isGiven || isWholeVersion(found.version)) return { command: [binary], ...found }
    else passedOver.push(reportsTooLittle(binary, found.version))
  }
  const own = await bundledProgram('helm', options)
  const { found, reason } = await usableProgram('helm', own, versions)
  if (!found) throw new InvalidInputError(reason)
  return { command: [own], ...found }
}

async function findKustomize(
  options: FindToolsOptions,
  versions: ProgramVersions,
  passedOver: string[],
): Promise<Kustomize> {
  const binary = options.kustomize ?? (options.kubectl === undefined ? findOnPath('kustomize') : undefined)
  if (binary !== undefined) {
    const { found, reason } = await usableProgram('kustomize', binary, versions)
    if (found) return { command: [binary], ...found, standalone: true }
    if (options.kustomize !== undefined) throw new InvalidInputError(reason)
    passedOver.push(`${reason}, so Wadi uses the Kustomize of a kubectl`)
  }
  const kubectl = options.kubectl ?? findOnPath('kubectl')
  for (const candidate of [kubectl, () => bundledProgram('kubectl', options)]) {
    if (candidate === undefined) continue
    const path = typeof candidate === 'string' ? candidate : await candidate()
    const { found, reason } = await usableProgram('kubectl', path, versions)
    if (found) {
      return { command: [path, 'kustomize'], ...found, standalone: false }
    }
    if (path === options.kubectl) throw new InvalidInputError(reason)
  }
  throw new FailedPreconditionError('no usable Kustomize: install kustomize or kubectl and put it on PATH')
}

function reportsTooLittle(helm: string, version: string): string {
  const [reported] = version.split('+')
  return `helm at ${helm} reports no more of its version than ${reported}, as it was built without the settings of a release, so Wadi uses the helm that it brings; set WADI_HELM to use it all the same`
}

function findOnPath(name: string): string | undefined {
  return findProgram(name, pathDirectories(process.env['PATH']))
}

/** Returns what is recorded of tools with the digests of their programs, which one that was given and not found does not have. */
export function withDigests(recorded: readonly RecordedTool[], tools: Tools): RecordedTool[] {
  return recorded.map((tool) => ({ ...tool, sha256: tool.sha256 || digestOf(tools, tool) }))
}

function digestOf(tools: Tools, { name }: RecordedTool): string {
  const found = toolNames.find((tool) => tool === name)
  return (found && tools[found].program?.sha256) ?? ''
}
