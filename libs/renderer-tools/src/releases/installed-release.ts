import { createHash, randomUUID } from 'node:crypto'
import {
  chmod,
  copyFile,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  writeFile,
} from 'node:fs/promises'
import path from 'node:path'
import { fileIdentity } from '@wadi/containment/file-identity.ts'
import { errorMessage, FailedPreconditionError } from '@wadi/errors/domain-error.ts'
import { shortageOf } from '@wadi/errors/machine-shortage.ts'
import { type ToolName, toolNames } from '@wadi/hydration/tool-versions.ts'
import { otherDigest, recordedDigest } from '../recorded-digest.ts'
import { fileDigest } from '../tool-program.ts'
import { unpackProgram } from './unpack-program.ts'

/** The place of tool versions, each as `<tool>/<version>/<tool>`. */
export interface InstalledPlace {
  readonly directory: string
  readonly tool: ToolName
  /** Without a leading `v`. */
  readonly version: string
}

/** The content to install: the archive of a release, or a program. */
export type InstalledContent = { readonly archive: Buffer } | { readonly program: string }

/** The number of tries to replace a damaged version that another process may be replacing too. */
const maxTries = 3

/** The program of a version, which may not be there. */
export function programFile({ directory, tool, version }: InstalledPlace): string {
  return path.join(directory, tool, version, tool)
}

/** The SHA-256 of bytes, in hex. */
export function digestOf(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex')
}

/**
 * Puts a version into a directory, at once: of several processes that do so one wins, and nobody sees a part of it. Beside the program are its
 * archive and the program's digest, as `sha256sum` writes it.
 * @param check looks at the program before it is there for others; throws to refuse it
 * @throws what `unpackProgram` throws, FailedPreconditionError for a directory that cannot be written to
 */
export async function installVersion(
  place: InstalledPlace,
  content: InstalledContent,
  check: (program: string) => Promise<void> = async () => undefined,
): Promise<string> {
  const { directory, tool, version } = place
  const parent = path.join(directory, tool)
  try {
    await mkdir(parent, { recursive: true })
    const temporary = await mkdtemp(path.join(parent, '.adding-'))
    try {
      const program = path.join(temporary, tool)
      const sha256 = await fill(program, tool, content)
      await check(program)
      await writeFile(`${program}.sha256`, `${sha256}  ${tool}\n`)
      await chmod(temporary, 0o755)
      await moveInto(temporary, place, 'archive' in content ? digestOf(content.archive) : undefined)
    } finally {
      await rm(temporary, { recursive: true, force: true })
    }
  } catch (error) {
    throw shortageOf(error) ?? unwritable(error, parent)
  }
  return path.join(parent, version, tool)
}

async function fill(program: string, tool: ToolName, content: InstalledContent): Promise<string> {
  if ('program' in content) {
    await copyFile(content.program, program)
    await chmod(program, 0o755)
    return fileDigest(program)
  }
  await writeFile(`${program}.tar.gz`, content.archive)
  return unpackProgram(content.archive, tool, program)
}

async function moveInto(temporary: string, place: InstalledPlace, sha256: string | undefined): Promise<void> {
  const target = path.dirname(programFile(place))
  for (let tries = 1; ; tries += 1) {
    try {
      await rename(temporary, target)
      return
    } catch (error) {
      const isThere =
        error instanceof Error && 'code' in error && /^(?:EEXIST|ENOTEMPTY)$/.test(String(error.code))
      if (!isThere || tries === maxTries) throw error
    }
    const damage = await (sha256 === undefined ? damageOf(place) : releaseDamageOf(place, sha256))
    if (damage === undefined) return
    await removeVersion(place)
  }
}

/** The remains of processes that were killed while they put a version there, or removed it. */
const leftover = /^\.(?:adding|removed)-/
const leftoverMs = 60 * 60_000

/** Removes what was left of versions that another process put there or removed, and did not end with within an hour. */
export async function sweepLeftovers(directory: string): Promise<void> {
  for (const tool of toolNames) {
    const parent = path.join(directory, tool)
    const names = (await readdir(parent).catch(() => [])).filter((name) => leftover.test(name))
    for (const name of names) {
      const found = await stat(path.join(parent, name)).catch(() => undefined)
      if (!found || Date.now() - found.mtimeMs < leftoverMs) continue
      await rm(path.join(parent, name), { recursive: true, force: true })
    }
  }
}

/** Removes a version, at once. */
export async function removeVersion(place: InstalledPlace): Promise<void> {
  const target = path.dirname(programFile(place))
  const away = path.join(path.dirname(target), `.removed-${randomUUID()}`)
  try {
    await rename(target, away)
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return
    throw unwritable(error, path.dirname(target))
  }
  await rm(away, { recursive: true, force: true })
}

/**
 * Returns what is wrong with the files of a version: the program is not that of its archive or not the recorded one, or the archive is not
 * that of the release. Undefined for nothing, and for a program beside which nothing is recorded.
 * @param sha256 that of the release's archive; undefined where none is known
 */
export async function damageOf(place: InstalledPlace, sha256?: string): Promise<string | undefined> {
  const program = programFile(place)
  const now = await fileDigest(program).catch((error: unknown) => errorMessage(error))
  if (!/^[0-9a-f]{64}$/.test(now)) return now
  const archive = await readFile(`${program}.tar.gz`).catch(() => undefined)
  if (archive && sha256 !== undefined && digestOf(archive) !== sha256)
    return `${program}.tar.gz has the digest sha256:${digestOf(archive)}, and the list says sha256:${sha256}`
  const recorded = archive ? await packedDigest(archive, place.tool) : await recordedDigest(program)
  if (recorded === undefined || recorded === now) return undefined
  if (!archive) return otherDigest(program, now, recorded)
  return `${program} has the digest sha256:${now}, and that of its archive is ${recorded}`
}

/** The same of a version whose archive has to be there, with the digest of the release. */
export async function releaseDamageOf(place: InstalledPlace, sha256: string): Promise<string | undefined> {
  const archive = `${programFile(place)}.tar.gz`
  return fileIdentity(archive) === undefined ? `${archive} is not there` : damageOf(place, sha256)
}

/** Returns true if something beside a program says what its digest has to be. */
export async function isRecorded(place: InstalledPlace): Promise<boolean> {
  return (await recordedDigest(programFile(place))) !== undefined
}

async function packedDigest(archive: Buffer, tool: ToolName): Promise<string> {
  return unpackProgram(archive, tool).catch((error: unknown) => errorMessage(error))
}

function unwritable(error: unknown, directory: string): unknown {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  if (!/^(?:EACCES|EPERM|ENOTDIR|EEXIST)$/.test(code)) return error
  return new FailedPreconditionError(`${directory} cannot be written to: ${errorMessage(error)}`, {
    cause: error,
  })
}
