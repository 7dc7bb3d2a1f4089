import { createReadStream } from 'node:fs'
import { mkdir, open, symlink } from 'node:fs/promises'
import path from 'node:path'
import { Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'
import {
  DomainError,
  InvalidInputError,
  ResourceExhaustedError,
  errorMessage,
} from '@wadi/errors/domain-error.ts'
import { extract, type Header } from 'tar-stream'
import { checkLinks } from './archive-links.ts'
import type { ArchiveLimits } from './archive-limits.ts'

/**
 * Extracts a gzipped tar archive into an empty folder: files with mode 0644 or, if asked, their own permissions, folders
 * and symbolic links that stay inside. The links are made last, so that no entry is written through one.
 * @throws InvalidInputError for a broken archive or an entry that may not be, ResourceExhaustedError above a limit
 */
export async function extractArchive(
  file: string,
  root: string,
  limits: ArchiveLimits,
  options: { preserveFileMode: boolean; signal: AbortSignal },
): Promise<void> {
  const entries = extract()
  const feeding = pipeline(
    createReadStream(file),
    createGunzip(),
    boundedBytes(limits.extractedBytes),
    entries,
    { signal: options.signal },
  )
  const links = new Map<string, string>()
  const writing = (async () => {
    let count = 0
    for await (const entry of entries) {
      const { header } = entry
      count += 1
      if (count > limits.entries)
        throw new ResourceExhaustedError(`the archive has more than ${limits.entries} entries`)
      const name = entryName(header)
      if (header.type === 'symlink') {
        if (links.has(name))
          throw new InvalidInputError(`illegal filepath in archive: "${name}" is there twice`)
        links.set(name, header.linkname)
      }
      const isFile = header.type === 'file' || header.type === 'contiguous-file'
      const target = path.join(root, name)
      await mkdir(isFile ? path.dirname(target) : folderOf(header, target), { recursive: true, mode: 0o755 })
      if (isFile) {
        const mode = options.preserveFileMode ? header.mode & 0o777 : 0o644
        await using output = await open(target, 'wx', mode)
        for await (const chunk of entry as AsyncIterable<Buffer>) await output.writeFile(chunk)
      } else entry.resume()
    }
  })()
  try {
    const results = await Promise.allSettled([
      writing.catch((error: Error) => rethrowAfter(entries, error)),
      feeding,
    ])
    for (const result of results) if (result.status === 'rejected') throw result.reason
    checkLinks(links)
    for (const [name, target] of links) await symlink(target, path.join(root, name))
  } catch (cause) {
    if (options.signal.aborted || cause instanceof DomainError) throw cause
    throw new InvalidInputError(
      `the archive cannot be extracted: ${errorMessage(cause).replaceAll(root, '')}`,
      { cause },
    )
  }
}

function rethrowAfter(entries: ReturnType<typeof extract>, error: Error): never {
  entries.destroy(error)
  throw error
}

function folderOf(header: Header, target: string): string {
  return header.type === 'directory' ? target : path.dirname(target)
}

/** The path of an entry below the root, without a slash at its end; empty for the root itself. */
function entryName({ name, type }: Header): string {
  if (!['file', 'contiguous-file', 'directory', 'symlink'].includes(type)) {
    throw new InvalidInputError(
      `illegal entry in archive: "${name}" is a ${type}; only files, folders and symbolic links are accepted`,
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
    throw new InvalidInputError(`illegal filepath in archive: "${name}" has to be a path inside it`)
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
