import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { findProgram, pathFolders } from '@wadi/containment/find-program.ts'
import { FailedPreconditionError, InvalidInputError } from '@wadi/errors/domain-error.ts'
import gte from 'semver/functions/gte.js'
import parse from 'semver/functions/parse.js'
import type { BundledTool } from './bundled-tools.ts'
import { ProgramVersions } from './program-versions.ts'
import { comparableVersion, isWholeVersion, type ToolProgram, type VersionQuestion } from './tool-program.ts'

/** A program that renders. */
export interface Tool {
  readonly command: readonly string[]
  /** As the program reports it; with the beginning of its digest when that is not all of it. */
  readonly version: string
  /** Its file; absent for one that is given and not found. */
  readonly program?: ToolProgram
}

/** The renderers of this machine. */
export interface Tools {
  readonly helm: Tool
  readonly kustomize: Tool & {
    /** Whether it is `kustomize` itself; else it is `kubectl kustomize`. */
    readonly standalone: boolean
  }
  /** Programs of `PATH` that are not used, each with the reason. */
  readonly passedOver?: readonly string[]
}

/** Where to look for the renderers. */
export interface FindToolsOptions {
  /** Folder for unpacked binaries and known versions, kept between starts. */
  readonly cacheDirectory: string
  /** Paths of binaries to take instead of searching `PATH`. */
  readonly helm?: string
  readonly kustomize?: string
  readonly kubectl?: string
  readonly signal?: AbortSignal
}

/** Oldest versions whose options are all known to work. */
const oldestHelm = '3.14.0'
const oldestKustomize = '5.0.0'

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
  return { helm, kustomize, ...(passedOver.length > 0 && { passedOver }) }
}

async function findHelm(
  options: FindToolsOptions,
  versions: ProgramVersions,
  passedOver: string[],
): Promise<Tool> {
  const binary = options.helm ?? findOnPath('helm')
  if (binary !== undefined) {
    const { found, reason } = judged('helm', binary, await versions.read(binary, helmVersion))
    const isGiven = options.helm !== undefined
    if (!found) {
      if (isGiven) throw new InvalidInputError(reason)
      passedOver.push(`${reason}, so Wadi uses the helm that it brings`)
    } else if (isGiven || isWholeVersion(found.version)) return { command: [binary], ...found }
    else passedOver.push(reportsTooLittle(binary, found.version))
  }
  const own = await bundled('helm', options)
  const { found, reason } = judged('helm', own, await versions.read(own, helmVersion))
  if (!found) throw new InvalidInputError(reason)
  return { command: [own], ...found }
}

async function findKustomize(
  options: FindToolsOptions,
  versions: ProgramVersions,
  passedOver: string[],
): Promise<Tools['kustomize']> {
  const binary = options.kustomize ?? (options.kubectl === undefined ? findOnPath('kustomize') : undefined)
  if (binary !== undefined) {
    const { found, reason } = judged('kustomize', binary, await versions.read(binary, kustomizeVersion))
    if (found) return { command: [binary], ...found, standalone: true }
    if (options.kustomize !== undefined) throw new InvalidInputError(reason)
    passedOver.push(`${reason}, so Wadi uses the Kustomize of a kubectl`)
  }
  const kubectl = options.kubectl ?? findOnPath('kubectl')
  for (const candidate of [kubectl, () => bundled('kubectl', options)]) {
    if (candidate === undefined) continue
    const path = typeof candidate === 'string' ? candidate : await candidate()
    const { found, reason } = judged('kubectl', path, await versions.read(path, kubectlVersion))
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

/** A program that can be used, or why it cannot. */
type Judged<Found> =
  | { readonly found: Found; readonly reason?: undefined }
  | { readonly found?: undefined; readonly reason: string }

function judged<Found extends { readonly version: string }>(
  tool: BundledTool | 'kustomize',
  path: string,
  found: Found | undefined,
): Judged<Found> {
  const oldest = tool === 'helm' ? oldestHelm : oldestKustomize
  if (found !== undefined && gte(comparableVersion(found.version), oldest)) return { found }
  const what = found === undefined ? 'does not report its version' : `has version ${found.version}`
  return { reason: `${tool} at ${path} ${what}; at least ${oldest} is needed` }
}

/** What unpacks them is loaded where there is no other. */
async function bundled(tool: BundledTool, { cacheDirectory }: FindToolsOptions): Promise<string> {
  const { bundledTool } = await import('./bundled-tools.ts')
  return bundledTool(tool, cacheDirectory)
}

function findOnPath(name: string): string | undefined {
  return findProgram(name, pathFolders(process.env['PATH']))
}

const helmVersion: VersionQuestion = { args: ['version', '--template', '{{.Version}}'], read: plainVersion }
const kustomizeVersion: VersionQuestion = { args: ['version'], read: plainVersion }
const kubectlVersion: VersionQuestion = {
  args: ['version', '--client', '-o', 'json'],
  read: kubectlKustomizeVersion,
}

/** A build without the settings of a release may report no more than `v4.3`. */
function plainVersion(output: string): string | undefined {
  return /v\d+\.\d+[^\s}"]*/.exec(output)?.[0]
}

/** The Kustomize inside a kubectl; none for a dispatcher, which runs another kubectl depending on a cluster. */
function kubectlKustomizeVersion(output: string): string | undefined {
  const kubectl = /"gitVersion": "(.*?)"/.exec(output)?.[1] ?? ''
  if (parse(kubectl)?.prerelease.length !== 0) return undefined
  return /"kustomizeVersion": "(.*?)"/.exec(output)?.[1]
}
