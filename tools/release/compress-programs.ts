import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, readdir, readFile, rename, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'
import { constants, zstdCompress, zstdDecompress } from 'node:zlib'
import { z } from 'zod'

const record = z.looseObject({ sha256: z.record(z.string(), z.string()) })
const level = 22

/**
 * Compresses the Go programs of a directory once more, for a download that is an eighth smaller: what takes minutes at a release is too slow for each
 * check of the repository. They are read as fast as before.
 * @param cache a directory that keeps the results
 */
export async function compressPrograms(directory: string, cache: string): Promise<void> {
  await mkdir(cache, { recursive: true })
  const recordFile = path.join(directory, 'build-record.json')
  const known = record.parse(JSON.parse(await readFile(recordFile, 'utf8')))
  const programs = (await readdir(directory)).filter((name) => name.endsWith('.zst'))
  await Promise.all(
    programs.map(async (name) => {
      const file = path.join(directory, name)
      const smaller = await compressAgain(await readFile(file), cache)
      known.sha256[name] = sha256(smaller)
      await writeFile(file, smaller)
    }),
  )
  await writeFile(recordFile, `${JSON.stringify(known, null, 2)}\n`)
}

async function compressAgain(compressed: Uint8Array, cache: string): Promise<Uint8Array> {
  const kept = path.join(cache, `${sha256(compressed)}-${process.versions.zstd}-${level}`)
  if (existsSync(kept)) return await readFile(kept)
  const content = await promisify(zstdDecompress)(compressed)
  const smaller = await promisify(zstdCompress)(content, {
    params: { [constants.ZSTD_c_compressionLevel]: level },
  })
  const unfinished = `${kept}.${process.pid}`
  await writeFile(unfinished, smaller)
  await rename(unfinished, kept)
  return smaller
}

function sha256(content: Uint8Array): string {
  return createHash('sha256').update(content).digest('hex')
}
