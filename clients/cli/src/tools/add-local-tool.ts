import { open } from 'node:fs/promises'
import { CommandFailure } from '../command-line/command-failure.ts'
import type { CommandSession } from '../command-line/command-session.ts'
import type { ReleaseList, ToolRelease } from '@wadi/renderer-tools/releases/release-list.ts'
import { type NamedTool, openLocalTools, readToolSettings } from './local-tools.ts'

/** The origin of a version: the archive of the list, or a file. */
interface AddedFrom {
  readonly from?: string | undefined
  /** Of the file, in place of what the list says. */
  readonly sha256?: string | undefined
}

/** A version that is there now. */
interface AddedTool {
  readonly program: string
  readonly sha256: string
  readonly wasThere: boolean
}

/**
 * Puts a version into the tools directory of this machine, when its digest is known and its program reports the version.
 * @throws CommandFailure for a version whose digest nobody says, and a file with another one
 */
export async function addLocalTool(
  { environment, signal }: CommandSession,
  named: NamedTool,
  { from, sha256 }: AddedFrom,
): Promise<AddedTool> {
  const { damageOf, digestOf, installVersion, programFile } =
    await import('@wadi/renderer-tools/releases/installed-release.ts')
  const { checkProgram } = await import('@wadi/renderer-tools/check-program.ts')
  const { fileDigest } = await import('@wadi/renderer-tools/tool-program.ts')
  const { findRelease, readReleaseList } = await import('@wadi/renderer-tools/releases/release-list.ts')
  const { directory, cacheDirectory } = await openLocalTools(environment, signal)
  const { name, version } = named
  const place = { directory, tool: name, version }
  const settings = await readToolSettings(environment)
  const list = await readReleaseList(settings.toolList)
  const release = findRelease(list, name, version)
  if ((await damageOf(place, release?.sha256)) === undefined) {
    const program = programFile(place)
    return { program, sha256: await fileDigest(program), wasThere: true }
  }
  const expected = sha256?.replace(/^sha256:/, '').toLowerCase() ?? release?.sha256
  if (expected === undefined) throw unknownDigest(named, list, from)
  const bytes = from === undefined ? await download(list, release, settings, signal) : await readBounded(from)
  const digest = digestOf(bytes)
  if (digest !== expected)
    throw new CommandFailure(
      `${from ?? `${name} ${version}`} has the digest sha256:${digest} and not sha256:${expected}, as ${sha256 === undefined ? list.file : '--sha256'} says; nothing was added`,
    )
  const content = isArchive(bytes) ? { archive: bytes } : { program: from ?? '' }
  const check = async (program: string): Promise<void> => {
    if ('program' in content && (await fileDigest(program)) !== expected)
      throw new CommandFailure(`${from} changed while it was read; nothing was added`)
    await checkProgram(name, version, program, cacheDirectory)
  }
  const program = await installVersion(place, content, check)
  return { program, sha256: await fileDigest(program), wasThere: false }
}

function unknownDigest(
  { name, version }: NamedTool,
  list: ReleaseList,
  from: string | undefined,
): CommandFailure {
  const listed = list.releases.filter((release) => release.tool === name).map((release) => release.version)
  const advice =
    from === undefined
      ? 'get the file yourself and give it with --from FILE --sha256 DIGEST, with the digest that its project publishes, or name a list of your own with WADI_TOOL_LIST'
      : 'give its digest with --sha256, as its project publishes it'
  return new CommandFailure(
    `${name} ${version} is not in the list of releases ${list.file} (${listed.join(', ') || 'none for this machine'}): ${advice}`,
  )
}

async function download(
  list: ReleaseList,
  release: ToolRelease | undefined,
  { helmReleases, kustomizeReleases, allowedNetworks }: Awaited<ReturnType<typeof readToolSettings>>,
  signal: AbortSignal,
): Promise<Buffer> {
  if (!release)
    throw new CommandFailure(
      `--sha256 is the digest of a file, and the list of releases ${list.file} has that of a download: give the file with --from`,
    )
  const { releaseRequest } = await import('@wadi/charts/release-request.ts')
  const { createNetworkPolicy } = await import('@wadi/git/network/network-policy.ts')
  const { releaseUrl } = await import('@wadi/renderer-tools/releases/release-address.ts')
  const { maxArchiveBytes } = await import('@wadi/renderer-tools/releases/tool-downloads.ts')
  const addresses = { helm: helmReleases, kustomize: kustomizeReleases }
  const get = releaseRequest({
    addresses: [helmReleases, kustomizeReleases],
    network: createNetworkPolicy(allowedNetworks),
    maxBytes: maxArchiveBytes,
  })
  return get(releaseUrl(addresses, release), signal)
}

/** Largest file, in bytes: a program with all its symbols. */
const maxFileBytes = 512 * 1024 ** 2

async function readBounded(path: string): Promise<Buffer> {
  await using file = await open(path).catch((error: unknown) => {
    throw new CommandFailure(`${path} cannot be read: ${error instanceof Error ? error.message : ''}`, 1)
  })
  const stat = await file.stat()
  if (!stat.isFile()) throw new CommandFailure(`${path} is not a file`, 1)
  if (stat.size > maxFileBytes) throw new CommandFailure(`${path} is larger than 512 MiB`, 1)
  return await file.readFile()
}

/** gzip, as releases are packed. */
function isArchive(bytes: Buffer): boolean {
  return bytes[0] === 0x1f && bytes[1] === 0x8b
}
