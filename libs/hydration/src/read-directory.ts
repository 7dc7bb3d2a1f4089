import type { CommitTree } from '@wadi/git/objects/commit-tree.ts'
import { filesDirectory, maxFilesBytes } from './files-directory.ts'
import { hydratedFiles, pathInside } from './hydrated-files.ts'
import { readHydratorMetadata } from './hydrator-metadata.ts'
import { joinedManifests } from './manifest-files.ts'

/** The content of a hydrated directory. */
export interface DirectoryContent {
  /** The objects, whichever files they are in; the text of `manifest.yaml` in the layout of Argo CD. */
  readonly manifest: string
  /** The files that the objects are in, each with the number of lines of `manifest` that are of it. */
  readonly objectFiles: readonly { path: string; lines: number }[]
  /** The text of `hydrator.metadata`; empty without one. */
  readonly metadata: string
  /** The existing files of those that `hydrator.metadata` lists in the directory `files`, by paths in it. */
  readonly files: readonly { path: string; content: string }[]
}

/** Most bytes of all files with objects together, and of the record. */
const maxManifestBytes = 64 * 1024 * 1024

/**
 * Reads a hydrated directory of a commit; undefined when it was not hydrated there. A file that the record names and that is gone is left
 * out.
 * @throws ResourceExhaustedError when somebody made the files larger than a hydration may
 */
export async function readDirectory(tree: CommitTree, path: string): Promise<DirectoryContent | undefined> {
  const metadata = (await readFile(tree, pathInside(path, hydratedFiles.metadata), maxManifestBytes)) ?? ''
  const { manifests, files } = readHydratorMetadata(metadata)
  const texts = await readFiles(tree, path, manifests, maxManifestBytes)
  const isThere = (name: string): boolean => texts.some((file) => file.path === name)
  if (manifests.includes(hydratedFiles.manifest) && !isThere(hydratedFiles.manifest)) return undefined
  return {
    manifest: joinedManifests(texts.map(({ content }) => content)),
    objectFiles: linesOfFiles(texts),
    metadata,
    files: await readFiles(tree, pathInside(path, filesDirectory), files, maxFilesBytes),
  }
}

/** Returns the lines that each file has in the joined text, with the line between it and the next. */
function linesOfFiles(
  texts: readonly { path: string; content: string }[],
): { path: string; lines: number }[] {
  return texts
    .filter(({ content }) => content !== '')
    .map(({ path, content }) => ({ path, lines: lineCount(content) + 1 }))
}

function lineCount(text: string): number {
  let count = text.endsWith('\n') ? 0 : 1
  for (let end = text.indexOf('\n'); end !== -1; end = text.indexOf('\n', end + 1)) count++
  return count
}

async function readFiles(
  tree: CommitTree,
  directory: string,
  names: readonly string[],
  maxBytes: number,
): Promise<{ path: string; content: string }[]> {
  const files: { path: string; content: string }[] = []
  let left = maxBytes
  for (const path of names) {
    const content = await readFile(tree, pathInside(directory, path), left)
    if (content === undefined) continue
    left -= Buffer.byteLength(content)
    files.push({ path, content })
  }
  return files
}

async function readFile(tree: CommitTree, path: string, maxBytes: number): Promise<string | undefined> {
  const entry = await tree.entry(path)
  if (entry?.kind !== 'file' && entry?.kind !== 'executable') return undefined
  return (await tree.read(path, maxBytes)).toString('utf8')
}
