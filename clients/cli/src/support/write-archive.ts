import { randomUUID } from 'node:crypto'
import { rename, rm, writeFile } from 'node:fs/promises'
import { buffer } from 'node:stream/consumers'
import { createGzip } from 'node:zlib'
import { pack } from 'tar-stream'

/** A text file of an archive. */
export interface ArchiveFile {
  readonly name: string
  readonly text: string
}

/**
 * Writes a compressed archive for its owner alone. It appears whole or not at all.
 * @param file its place; an archive that is there is replaced
 * @returns its size in bytes
 */
export async function writeArchive(
  file: string,
  directory: string,
  files: readonly ArchiveFile[],
): Promise<number> {
  const archive = pack()
  const compressed = buffer(archive.pipe(createGzip()))
  for (const { name, text } of files) archive.entry({ name: `${directory}/${name}`, mode: 0o600 }, text)
  archive.finalize()
  const content = await compressed
  const draft = `${file}.${randomUUID()}`
  try {
    await writeFile(draft, content, { flag: 'wx', mode: 0o600 })
    await rename(draft, file)
  } finally {
    await rm(draft, { force: true })
  }
  return content.length
}
