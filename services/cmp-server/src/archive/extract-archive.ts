import { mkdirSync, writeFileSync } from 'node:fs'
import { open, symlink } from 'node:fs/promises'
import path from 'node:path'
import { type Readable, Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'
import {
  DomainError,
  InvalidInputError,
  ResourceExhaustedError,
  errorMessage,
} from '@wadi/errors/domain-error.ts'
import { type Extract, type Header, extract } from 'tar-stream'
import { checkLinks } from './archive-links.ts'
import type { ArchiveLimits } from './archive-limits.ts'

const smallFileBytes = 64 * 1024

/**
 * Extracts a gzipped tar archive into an empty directory: files with mode 0644 or, if asked, their own permissions, directories
 * and symbolic links that stay inside. The links are made last, so that no entry is written through one.
 * @throws InvalidInputError for a broken archive or an entry that may not be, ResourceExhaustedError above a limit
 */
export async function extractArchive(
  archive: Readable,
  root: string,
  limits: ArchiveLimits,
  options: { preserveFileMode: boolean; signal: AbortSignal },
): Promise<void> {
  const entries = extract()
  const feeding = pipeline(archive, createGunzip(), boundedBytes(limits.extractedBytes), entries, {
    signal: options.signal,
  })
  const writer = new EntryWriter(root, limits, options.preserveFileMode)
  const writing = writer.writeAll(entries).catch((error: Error) => rethrowAfter(entries, error))
  try {
    const results = await Promise.allSettled([writing, feeding])
    for (const result of results) if (result.status === 'rejected') throw result.reason
    await writer.makeLinks()
  } catch (cause) {
    if (options.signal.aborted || cause instanceof DomainError) throw cause
    throw new InvalidInputError(
      `the archive cannot be extracted: ${errorMessage(cause).replaceAll(root, '')}`,
      { cause },
    )
  }
}

type ArchiveEntry = Extract extends AsyncIterable<infer Entry> ? Entry : never

/** Writes the entries of an archive below a directory, and its links when all else is there. */
class EntryWriter {
  readonly #root: string
  readonly #limits: ArchiveLimits
  readonly #preservesFileMode: boolean
  readonly #directories: Set<string>
  readonly #links = new Map<string, string>()
  #count = 0

  constructor(root: string, limits: ArchiveLimits, preservesFileMode: boolean) {
    this.#root = root
    this.#limits = limits
    this.#preservesFileMode = preservesFileMode
    this.#directories = new Set([root])
  }

  async writeAll(entries: Extract): Promise<void> {
    for await (const entry of entries) await this.#write(entry)
  }

  /** @throws InvalidInputError for a link that leads outside */
  async makeLinks(): Promise<void> {
    checkLinks(this.#links)
    for (const [name, target] of this.#links) await symlink(target, path.join(this.#root, name))
  }

  async #write(entry: ArchiveEntry): Promise<void> {
    const { header } = entry
    this.#countEntry()
    const name = entryName(header)
    if (header.type === 'symlink') this.#keepLink(name, header.linkname)
    const target = path.join(this.#root, name)
    if (target !== this.#root) this.#makeDirectory(path.dirname(target))
    if (header.type === 'directory' && !this.#directories.has(target)) {
      this.#directories.add(target)
      mkdirSync(target, { mode: 0o755 })
    }
    if (header.type === 'file' || header.type === 'contiguous-file') {
      const mode = this.#preservesFileMode ? header.mode & 0o777 : 0o644
      await writeFile(entry as AsyncIterable<Buffer>, header.size ?? 0, target, mode)
    } else entry.resume()
  }

  #keepLink(name: string, target: string): void {
    if (this.#links.has(name))
      throw new InvalidInputError(`illegal filepath in archive: "${name}" occurs twice`)
    this.#links.set(name, target)
  }

  #makeDirectory(directory: string): void {
    if (this.#directories.has(directory)) return
    this.#makeDirectory(path.dirname(directory))
    this.#directories.add(directory)
    // So many names of many directories each would make more of them than there are entries.
    this.#countEntry()
    mkdirSync(directory, { mode: 0o755 })
  }

  #countEntry(): void {
    this.#count += 1
    if (this.#count > this.#limits.entries)
      throw new ResourceExhaustedError(`the archive has more than ${this.#limits.entries} entries`)
  }
}

/** Most files are small, and for those a turn of the thread pool takes longer than the writing. */
async function writeFile(
  content: AsyncIterable<Buffer>,
  size: number,
  target: string,
  mode: number,
): Promise<void> {
  if (size <= smallFileBytes) {
    const chunks: Buffer[] = []
    for await (const chunk of content) chunks.push(chunk)
    writeFileSync(target, Buffer.concat(chunks), { flag: 'wx', mode })
    return
  }
  await using output = await open(target, 'wx', mode)
  for await (const chunk of content) await output.writeFile(chunk)
}

function rethrowAfter(entries: Extract, error: Error): never {
  entries.destroy(error)
  throw error
}

/** The path of an entry below the root, without a slash at its end; empty for the root itself. */
function entryName({ name, type }: Header): string {
  if (!['file', 'contiguous-file', 'directory', 'symlink'].includes(type)) {
    throw new InvalidInputError(
      `illegal entry in archive: "${name}" is a ${type}; only files, directories and symbolic links are accepted`,
    )
  }
  const parts = name.split('/').filter((part) => part !== '' && part !== '.')
  const isRoot = parts.length === 0
  if (
    name.startsWith('/') ||
    name.includes('\0') ||
    parts.includes('..') ||
    (isRoot && type !== 'directory')
  ) {
    throw new InvalidInputError(`illegal filepath in archive: "${name}" must be a path inside it`)
  }
  return parts.join('/')
}

function boundedBytes(maxBytes: number): Transform {
  let size = 0
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      size += chunk.length
      if (size <= maxBytes) done(null, chunk)
      else done(new ResourceExhaustedError(`the archive has more than ${maxBytes} bytes after decompression`))
    },
  })
}
