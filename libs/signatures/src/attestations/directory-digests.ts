import { createHash } from 'node:crypto'
import type { CommitTree } from '@wadi/git/objects/commit-tree.ts'

/** The digests of a directory, by their names in in-toto. */
export interface DirectoryDigests {
  /** The id of its tree. */
  gitTree: string
  /** The SHA-256 of the list that `sha256sum` prints of its files, sorted by their paths in it. */
  dirHash: string
  /** The same, as that of a file with that list. */
  sha256: string
}

/** Returns the SHA-256 of the file with an id, in hexadecimal. */
export type FileDigest = (id: string) => Promise<string>

/** Returns the digests of a directory of a commit, of all files in and below it but links; undefined if there is none. */
export async function directoryDigests(
  tree: CommitTree,
  path: string,
  digestOf: FileDigest,
): Promise<DirectoryDigests | undefined> {
  const entry = await tree.entry(path)
  if (entry?.kind !== 'directory') return undefined
  const files: { name: string; id: string }[] = []
  await collect(tree, path, '', files)
  const named = files
    .map(({ name, id }) => ({ id, name: Buffer.from(name) }))
    .toSorted((a, b) => a.name.compare(b.name))
  const digests = await Promise.all(named.map(({ id }) => digestOf(id)))
  const hash = createHash('sha256')
  for (const [index, { name }] of named.entries())
    hash.update(`${digests[index] ?? ''}  ${name.toString()}\n`)
  const dirHash = hash.digest('hex')
  return { gitTree: entry.id, dirHash, sha256: dirHash }
}

async function collect(
  tree: CommitTree,
  path: string,
  prefix: string,
  files: { name: string; id: string }[],
): Promise<void> {
  for (const { name, kind, id } of await tree.list(path)) {
    const inner = path === '' ? name : `${path}/${name}`
    if (kind === 'directory') await collect(tree, inner, `${prefix}${name}/`, files)
    else if (kind === 'file' || kind === 'executable') files.push({ name: `${prefix}${name}`, id })
  }
}
