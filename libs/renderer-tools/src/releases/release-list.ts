import { createHash } from 'node:crypto'
import { readFile, stat } from 'node:fs/promises'
import path from 'node:path'
import { errorMessage, FailedPreconditionError, InvalidInputError } from '@wadi/errors/domain-error.ts'
import { plainVersion, type ToolName, toolNames, wholeVersion } from '@wadi/hydration/tool-versions.ts'

/** Largest list, in bytes. */
const maxListBytes = 1024 * 1024

/** A release of a tool for a platform, which may be installed when its archive has this digest. */
export interface ToolRelease {
  readonly tool: ToolName
  /** Without a leading `v`. */
  readonly version: string
  /** As Go names it, such as `linux/amd64`. */
  readonly platform: string
  /** Of the archive, in hex. */
  readonly sha256: string
}

/** The releases that may be installed on this machine. */
export interface ReleaseList {
  /** Its file, for messages. */
  readonly file: string
  /** Changes with the releases. */
  readonly identity: string
  readonly releases: readonly ToolRelease[]
}

/** The list that Wadi brings. */
const ownListFile = path.join(import.meta.dirname, 'releases.txt')

/**
 * Returns the platform of this machine as releases name it.
 * @internal
 */
export function thisPlatform(): string {
  return `${process.platform}/${process.arch === 'x64' ? 'amd64' : process.arch}`
}

/**
 * Reads a list: Wadi's own, or one in the same form, with a line `<tool> <version> <platform> <SHA-256>` for each release.
 * @throws InvalidInputError with file and line for what is none, FailedPreconditionError for a file that cannot be read
 */
export async function readReleaseList(
  file: string = ownListFile,
  platform = thisPlatform(),
): Promise<ReleaseList> {
  const text = await readText(file)
  const releases = parseReleases(text, file).filter((release) => release.platform === platform)
  const identity = createHash('sha256').update(JSON.stringify(releases)).digest('hex').slice(0, 12)
  return { file, identity, releases }
}

/** Returns the release of a version; undefined for one that the list does not have. */
export function findRelease(
  { releases }: Pick<ReleaseList, 'releases'>,
  tool: ToolName,
  version: string,
): ToolRelease | undefined {
  return releases.find((release) => release.tool === tool && release.version === version)
}

async function readText(file: string): Promise<string> {
  try {
    const { size } = await stat(file)
    if (size <= maxListBytes) return await readFile(file, 'utf8')
  } catch (cause) {
    throw new FailedPreconditionError(`the list of releases ${file} cannot be read: ${errorMessage(cause)}`, {
      cause,
    })
  }
  throw new InvalidInputError(`the list of releases ${file} is larger than 1 MiB`)
}

function parseReleases(text: string, file: string): ToolRelease[] {
  const seen = new Set<string>()
  return text.split('\n').flatMap((line, index) => {
    const words = line.replace(/#.*/, '').trim().split(/\s+/)
    if (words[0] === '') return []
    const at = { file, line: index + 1 }
    const release = parseRelease(words)
    if (typeof release === 'string') throw new InvalidInputError(release, { at })
    const name = `${release.tool} ${release.version} ${release.platform}`
    if (seen.has(name)) throw new InvalidInputError(`${name} is listed twice`, { at })
    seen.add(name)
    return [release]
  })
}

/** Returns what is wrong with a line instead of a release. */
function parseRelease([name = '', version = '', platform = '', digest = '', ...rest]: string[]):
  | ToolRelease
  | string {
  const tool = toolNames.find((known) => known === name)
  if (tool === undefined) return `${JSON.stringify(name)} must be ${toolNames.join(' or ')}`
  if (!wholeVersion.test(version))
    return `${JSON.stringify(version)} must be one exact version, such as 4.3.1`
  if (!/^[a-z0-9]+\/[a-z0-9]+$/.test(platform))
    return `${JSON.stringify(platform)} must be a platform, such as linux/amd64`
  const sha256 = digest.replace(/^sha256:/, '').toLowerCase()
  if (!/^[0-9a-f]{64}$/.test(sha256))
    return `${JSON.stringify(digest)} must be the SHA-256 of the archive, 64 hexadecimal digits`
  if (rest.length > 0)
    return `a line has a tool, a version, a platform and a digest, and not ${JSON.stringify(rest.join(' '))} too`
  return { tool, version: plainVersion(version), platform, sha256 }
}
