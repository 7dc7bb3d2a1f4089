import { readdirSync } from 'node:fs'
import path from 'node:path'
import { fileIdentity } from '@wadi/containment/file-identity.ts'
import { FailedPreconditionError, InvalidInputError, UnavailableError } from '@wadi/errors/domain-error.ts'
import { helmOfCharts, kustomizeVersion } from '@wadi/gotemplate/engine-versions.ts'
import { plainVersion, type ToolName, toolNames, wholeVersion } from '@wadi/hydration/tool-versions.ts'
import type { BundledTool } from './bundled-tools.ts'
import { bundledProgram } from './bundled-program.ts'
import type { FindToolsOptions, Kustomize, Tool, Tools } from './find-tools.ts'
import type { ProgramVersions } from './program-versions.ts'
import { otherDigest, recordedDigest } from './recorded-digest.ts'
import { canBring } from './tool-program.ts'
import { usableProgram } from './usable-program.ts'

const ofWadi = { identity: 'brought', origin: 'brought' } as const

/** The versions that come along. */
const brought = { helm: plainVersion(helmOfCharts), kustomize: plainVersion(kustomizeVersion) }

/** The place that a program comes from: the installation's own, what Wadi brings, the operator's directory, or a download. */
export type ToolOrigin = 'own' | 'brought' | 'directory' | 'downloaded'

/** A version beside the installation's own. */
export interface OtherVersion<Found extends Tool = Tool> {
  /** Changes when another program takes its place. */
  readonly identity: string
  /** False for a release that may be downloaded and is not there yet. */
  readonly isThere: boolean
  readonly origin: ToolOrigin
  /**
   * Looks at the program, the first time.
   * @param mayDownload whether one that is not there may be downloaded; false by default
   * @throws InvalidInputError when it cannot be used, is another version than its directory says, or has another digest than is recorded
   *   beside it, with the reason; NotDownloadedError, and what downloads throw
   */
  readonly open: (mayDownload?: boolean) => Promise<Found>
}

/** A version that is not there yet, and that this caller has no right to have downloaded. */
export class NotDownloadedError extends FailedPreconditionError {}

/** A version that cannot be downloaded at this time, which is the error of what asks for it alone. */
export class DownloadUnavailableError extends UnavailableError {}

/** Releases that may be downloaded. */
export interface Downloads {
  /** The directory of the existing ones, each as `<tool>/<version>/<tool>`. */
  readonly directory: string
  /** Changes with the list. */
  readonly identity: string
  /** The versions of a tool that may be downloaded. */
  readonly versions: (tool: ToolName) => readonly string[]
  /** The program of a version that is there; undefined for one that is not, or is not what it has to be. */
  readonly find: (tool: ToolName, version: string) => Promise<string | undefined>
  /** The same, downloaded if need be. */
  readonly obtain: (tool: ToolName, version: string) => Promise<string>
}

/** Versions of each tool as git writes them, without a leading `v`. */
export interface OtherVersions {
  readonly helm: ReadonlyMap<string, OtherVersion>
  readonly kustomize: ReadonlyMap<string, OtherVersion<Kustomize>>
}

/** Further programs of the installation's own versions, which may be other builds of them. */
export interface OtherBuilds {
  readonly helm?: OtherVersion | undefined
  readonly kustomize?: OtherVersion<Kustomize> | undefined
}

/**
 * Finds the versions in the operator's directory, those that Wadi brings where the installation's own are others, and those that may be
 * downloaded. Their programs are looked at when they are asked for.
 */
export function otherVersions(
  own: Pick<Tools, ToolName>,
  options: Pick<FindToolsOptions, 'toolsDirectory' | 'cacheDirectory' | 'downloads'>,
  versions: ProgramVersions,
): { others: OtherVersions; builds: OtherBuilds } {
  const open = async (...wanted: Wanted) => openVersion(versions, ...wanted)
  const helm = new Map<string, OtherVersion>()
  for (const { version, file, identity } of versionsIn(options.toolsDirectory, 'helm')) {
    helm.set(
      version,
      once({ identity, origin: 'directory' }, () => open('helm', version, [file])),
    )
  }
  const kustomize = new Map<string, OtherVersion<Kustomize>>()
  for (const { version, file, identity } of versionsIn(options.toolsDirectory, 'kustomize')) {
    const find = async () => ({ ...(await open('kustomize', version, [file])), standalone: true })
    kustomize.set(version, once({ identity, origin: 'directory' }, find))
  }
  if (canBring()) {
    const findHelm = async () => open('helm', brought.helm, [await bundledProgram('helm', options)])
    helm.getOrInsert(brought.helm, once(ofWadi, findHelm))
    const findKustomize = async () => {
      const kubectl = await bundledProgram('kubectl', options)
      return { ...(await open('kubectl', brought.kustomize, [kubectl, 'kustomize'])), standalone: false }
    }
    kustomize.getOrInsert(brought.kustomize, once(ofWadi, findKustomize))
  }
  const { downloads } = options
  if (downloads) {
    for (const { version, ...state } of downloadable(downloads, 'helm')) {
      const find = async (mayDownload?: boolean) =>
        open('helm', version, [await downloaded(downloads, 'helm', version, mayDownload)])
      helm.getOrInsert(version, once(state, find))
    }
    for (const { version, ...state } of downloadable(downloads, 'kustomize')) {
      const find = async (mayDownload?: boolean) => {
        const file = await downloaded(downloads, 'kustomize', version, mayDownload)
        return { ...(await open('kustomize', version, [file])), standalone: true }
      }
      kustomize.getOrInsert(version, once(state, find))
    }
  }
  const [ownHelm, ownKustomize] = [plainVersion(own.helm.version), plainVersion(own.kustomize.version)]
  const builds = { helm: helm.get(ownHelm), kustomize: kustomize.get(ownKustomize) }
  helm.delete(ownHelm)
  kustomize.delete(ownKustomize)
  return { others: { helm, kustomize }, builds }
}

/** A program with the version that it has to be, and the command that it renders by. */
type Wanted = [program: BundledTool | ToolName, version: string, command: readonly [string, ...string[]]]

async function openVersion(versions: ProgramVersions, ...[program, version, command]: Wanted) {
  const [file] = command
  const { found, reason } = await usableProgram(program, file, versions)
  if (!found) throw new InvalidInputError(reason)
  if (found.version !== `v${version}`)
    throw new InvalidInputError(`${file} is ${program} ${found.version} and not ${version}`)
  const recorded = await recordedDigest(file)
  if (recorded === undefined || recorded === found.program.sha256) return { command, ...found }
  throw new InvalidInputError(otherDigest(file, found.program.sha256, recorded))
}

/** Changes when a program is put into the operator's directory or that of downloads, replaced or removed there; empty without directories. */
export function directoryIdentity({
  toolsDirectory,
  downloads,
}: Pick<FindToolsOptions, 'toolsDirectory' | 'downloads'>): string {
  const directories = [toolsDirectory, downloads?.directory]
  const programs = directories.flatMap((directory) =>
    toolNames.flatMap((name) => versionsIn(directory, name)),
  )
  return programs.map(({ file, identity }) => `${file} ${identity}`).join('\n')
}

/** The releases that may be downloaded, those that are there with the identity of their program. */
function downloadable(downloads: Downloads, name: ToolName) {
  const there = new Map(
    versionsIn(downloads.directory, name).map(({ version, identity }) => [version, identity]),
  )
  return downloads.versions(name).map((version) => {
    const identity = there.get(version)
    const origin = 'downloaded' as const
    return { version, origin, identity: identity ?? 'listed', isThere: identity !== undefined }
  })
}

async function downloaded(
  downloads: Downloads,
  name: ToolName,
  version: string,
  mayDownload = false,
): Promise<string> {
  if (mayDownload) {
    return downloads.obtain(name, version).catch((error: unknown) => {
      throw error instanceof UnavailableError ? error.as(DownloadUnavailableError) : error
    })
  }
  const file = await downloads.find(name, version)
  if (file !== undefined) return file
  throw new NotDownloadedError(
    `${name} ${version} is not downloaded yet, and only the hydration of a branch downloads; ask the operator for it (wadi tools add ${name} ${version} --remote)`,
  )
}

/** Caches found versions, not errors. Callers that may download do not share the error of those that may not. */
function once<Found extends Tool>(
  { isThere = true, ...state }: Pick<OtherVersion, 'identity' | 'origin'> & { readonly isThere?: boolean },
  find: (mayDownload?: boolean) => Promise<Found>,
): OtherVersion<Found> {
  let found: Found | undefined
  const finding = new Map<boolean, Promise<Found>>()
  const open = async (mayDownload = false): Promise<Found> => {
    if (found) return found
    const own = finding.getOrInsertComputed(mayDownload, async () => find(mayDownload))
    try {
      return (found = await own)
    } finally {
      finding.delete(mayDownload)
    }
  }
  return { ...state, isThere, open }
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
