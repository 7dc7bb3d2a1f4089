import type { HandlerContext } from '@connectrpc/connect'
import { InvalidInputError, ResourceExhaustedError } from '@wadi/errors/domain-error.ts'
import type { ReadChangedManifestsRequest } from '@wadi/protocol/gen/wadi/repo_server/v1/repo_server_pb.ts'
import { changedFiles } from '@wadi/file-trees/changed-files.ts'
import type { FileTree } from '@wadi/file-trees/file-tree.ts'
import type { RepoServerContext } from '../context.ts'

const maxFiles = 1_000
const maxFileBytes = 1024 * 1024
const maxTotalBytes = 8 * 1024 * 1024
/** Files that are looked into. */
const maxRead = 20_000

const maxFetchedAtOnce = 1_000

const isManifestFile = /\.(?:ya?ml|json)$/

/** Returns the YAML and JSON files that differ between two commits and name a kind of objects; one that is too large has none. */
export function readChangedManifests(context: RepoServerContext) {
  return async (request: ReadChangedManifestsRequest, { signal }: HandlerContext) => {
    const { kind, beforeSha } = request
    if (!/^[A-Z][A-Za-z]{0,62}$/.test(kind)) throw new InvalidInputError('kind must be a kind of objects')
    const commit = (sha: string) => ({ ...request, sha })
    return context.files.use(commit(beforeSha), signal, async ({ tree: before }) =>
      context.files.use(commit(request.sha), signal, async ({ tree: after }) =>
        changedManifests(before, after, new RegExp(`\\b${kind}\\b`), signal),
      ),
    )
  }
}

async function changedManifests(before: FileTree, after: FileTree, kind: RegExp, signal: AbortSignal) {
  const files: { path: string; before: Buffer; after: Buffer }[] = []
  let [read, total] = [0, 0]
  for await (const path of readyManifests(before, after)) {
    signal.throwIfAborted()
    if (++read > maxRead) return { files, isCut: true }
    const [old, next] = [await contentOf(before, path, kind), await contentOf(after, path, kind)]
    const length = old.length + next.length
    if (length === 0) continue
    total += length
    if (files.length >= maxFiles || total > maxTotalBytes) return { files, isCut: true }
    files.push({ path, before: old, after: next })
  }
  return { files, isCut: false }
}

/** Yields the paths of manifests that differ; the files of many are fetched at once. */
async function* readyManifests(before: FileTree, after: FileTree): AsyncGenerator<string> {
  const makeReady = async (paths: readonly string[]): Promise<void> => {
    await before.ready?.(paths)
    await after.ready?.(paths)
  }
  let paths: string[] = []
  for await (const path of changedFiles(before, after)) {
    if (isManifestFile.test(path)) paths.push(path)
    if (paths.length < maxFetchedAtOnce) continue
    await makeReady(paths)
    yield* paths
    paths = []
  }
  await makeReady(paths)
  yield* paths
}

async function contentOf(tree: FileTree, path: string, kind: RegExp): Promise<Buffer> {
  const entry = await tree.entry(path)
  if (entry?.kind !== 'file' && entry?.kind !== 'executable') return Buffer.alloc(0)
  try {
    const content = await tree.read(path, maxFileBytes)
    return kind.test(content.toString('latin1')) ? content : Buffer.alloc(0)
  } catch (error) {
    if (error instanceof ResourceExhaustedError) return Buffer.alloc(0)
    throw error
  }
}
