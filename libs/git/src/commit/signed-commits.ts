import { randomUUID } from 'node:crypto'
import { mkdir, rename, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'
import { deflate } from 'node:zlib'
import { objectHeader, objectId } from '../objects/object-id.ts'
import { CorruptMirrorError } from '../process/git-failure.ts'

/** Returns a detached signature in ASCII armour over a commit as it is without one. */
export type SignCommit = (commit: Buffer, signal?: AbortSignal) => Promise<string>

/** A commit that git made without a signature. */
interface UnsignedCommit {
  sha: string
  tree: string
  /** A number is the place of a commit that is signed with it. */
  parent: string | number | undefined
  /** As the object has it: name, address and time. */
  author: string
  committer: string
  message: string
}

const compress = promisify(deflate)

/**
 * Signs commits, and writes the signed ones into a repository as loose objects.
 * @returns their ids
 * @throws CorruptMirrorError if git made another commit than the parts say; the error of `sign`
 */
export async function signCommits(
  directory: string,
  commits: readonly UnsignedCommit[],
  sign: SignCommit,
  signal: AbortSignal | undefined,
): Promise<string[]> {
  const signed: Promise<string>[] = []
  const signOne = async (commit: UnsignedCommit): Promise<string> => {
    const { sha, parent } = commit
    const isNew = typeof parent === 'number'
    if (objectId('commit', commitObject(commit, isNew ? commits[parent]?.sha : parent)) !== sha) {
      throw new CorruptMirrorError(`git fast-import made another commit than ${sha} should be`)
    }
    const parentId = isNew ? await signed[parent] : parent
    const signature = await sign(commitObject(commit, parentId), signal)
    const object = commitObject(commit, parentId, signatureHeader(signature))
    const id = objectId('commit', object)
    await writeLooseObject(directory, id, Buffer.concat([objectHeader('commit', object), object]))
    return id
  }
  for (const commit of commits) signed.push(signOne(commit))
  return Promise.all(signed)
}

function commitObject(
  { tree, author, committer, message }: UnsignedCommit,
  parent: string | undefined,
  signature = '',
): Buffer {
  const parents = parent === undefined ? '' : `parent ${parent}\n`
  const people = `author ${author}\ncommitter ${committer}\n`
  return Buffer.from(`tree ${tree}\n${parents}${people}${signature}\n${message}`)
}

/** A header goes on where a line begins with a blank. */
function signatureHeader(signature: string): string {
  return `gpgsig ${signature.trimEnd().replaceAll('\n', '\n ')}\n`
}

async function writeLooseObject(directory: string, id: string, object: Buffer): Promise<void> {
  const place = path.join(directory, 'objects', id.slice(0, 2))
  await mkdir(place, { recursive: true })
  // Git removes old files of this name when it cleans up.
  const file = path.join(place, `tmp_obj_${randomUUID()}`)
  try {
    await writeFile(file, await compress(object), { mode: 0o444, flag: 'wx' })
    await rename(file, path.join(place, id.slice(2)))
  } catch (error) {
    await rm(file, { force: true })
    throw error
  }
}
