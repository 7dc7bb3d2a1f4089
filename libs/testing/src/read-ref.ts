import { readFile } from 'node:fs/promises'
import path from 'node:path'

/**
 * The commit that a ref such as `HEAD` or `refs/heads/main` names, or undefined if there is none. It reads the repository's files: a
 * test that waits for a branch would otherwise start a program for each poll.
 *
 * @param directory the directory of a bare repository, or `.git`; its refs are files, not a reftable
 */
export async function readRef(directory: string, name: string): Promise<string | undefined> {
  const text = (await readIfFile(path.join(directory, name)))?.trim()
  const target = text === undefined ? undefined : /^ref: (.+)$/.exec(text)?.[1]
  if (target !== undefined) return readRef(directory, target)
  // Packing writes the common file before it deletes a ref's own, so this is the order to look in.
  return text ?? packedRef((await readIfFile(path.join(directory, 'packed-refs'))) ?? '', name)
}

function packedRef(text: string, name: string): string | undefined {
  const line = text.split('\n').find((one) => one.endsWith(` ${name}`))
  return line?.slice(0, line.indexOf(' '))
}

async function readIfFile(file: string): Promise<string | undefined> {
  try {
    return await readFile(file, 'utf8')
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined
    if (code === 'ENOENT' || code === 'EISDIR' || code === 'ENOTDIR') return undefined
    throw error
  }
}
