import { createHash } from 'node:crypto'
import type { MessageInitShape } from '@bufbuild/protobuf'
import type { HandlerContext } from '@connectrpc/connect'
import { InvalidInputError } from '@wadi/errors/domain-error.ts'
import { readCommitterDate } from '@wadi/git/commit/commit-metadata.ts'
import { type CommitTree, openCommitTree } from '@wadi/git/objects/commit-tree.ts'
import type { Mirror } from '@wadi/git/mirror/mirror.ts'
import { assertBranchName, isCommitSha } from '@wadi/git/mirror/revision.ts'
import { cleanDestinationPath } from '@wadi/resources/application/destination-path.ts'
import type {
  GetBranchRequest,
  GetBranchResponseSchema,
} from '@wadi/protocol/gen/wadi/commit_server/v1/commit_server_pb.ts'
import { positionOf } from '../branch/branch-position.ts'
import { type BranchState, branchStateAt, fetchBranches, fetchBranchState } from '../branch/branch-state.ts'
import { findForeignChange, type ForeignChange } from '../branch/foreign-change.ts'
import { branchTools, toolsInUse } from '@wadi/hydration/branch-tools.ts'
import { heldMetadata } from '@wadi/hydration/held-metadata.ts'
import { writingInstallation } from '../branch/writing-installation.ts'
import { hydratedFiles, pathInside } from '@wadi/hydration/hydrated-files.ts'
import { versionsOf } from '@wadi/hydration/tool-versions.ts'
import type { CommitServerContext } from '../context.ts'
import { useDestination } from '../write-credentials.ts'

/** The most files that are named of a foreign change. */
const maxForeignPaths = 20

/** The answer of `GetBranch`; empty for a branch that cannot be read. */
export type BranchAnswer = Extract<MessageInitShape<typeof GetBranchResponseSchema>, { $typeName?: never }>

const metadataSuffix = `/${hydratedFiles.metadata}`

/** Tells where a hydrated branch stands on the remote now. */
export function getBranch(context: CommitServerContext) {
  return async (request: GetBranchRequest, { signal }: HandlerContext) => {
    const { repoUrl, branch, project, probe } = request
    assertBranchName(branch)
    const credentials = await context.repositories.identityFor(repoUrl, project)
    return useDestination(context, request, async (mirror) => {
      const refs = await readRefs(context, mirror, probe)
      await fetchBranches(mirror, [branch], refs, signal)
      return { ...(await lookAtBranch(context, mirror, request, refs, signal)), credentials }
    })
  }
}

/** Asks the remote of a hydrated branch for its refs, and keeps what the answer says for the next push. */
export async function readRefs(
  { remoteRefs, writers }: CommitServerContext,
  mirror: Mirror,
  probe: boolean,
): Promise<ReadonlyMap<string, string>> {
  const askedAt = performance.now()
  const { refs } = await remoteRefs.read(mirror, { fresh: true, probe })
  writers.of(mirror).known.listed(refs, askedAt)
  return refs
}

/** Returns the state of a hydrated branch at the refs that the remote reported; the mirror has the branch and the notes. */
export async function lookAtBranch(
  context: CommitServerContext,
  mirror: Mirror,
  request: GetBranchRequest,
  refs: ReadonlyMap<string, string>,
  signal: AbortSignal,
): Promise<BranchAnswer> {
  const { branch, withPaths, withTools, withHeadDate, soughtTools, path } = request
  const state = await branchStateAt(mirror, context.trees, { branch, syncBranch: '' }, refs)
  const { head } = state
  const installation = await writingInstallation(mirror, context.trees, state)
  const position = { ...positionOf(state), installation }
  const compared = await compareWithKnown(context, mirror, request, state, refs, signal)
  const found = { position, ...compared }
  if (head === undefined) return found
  const paths = withPaths ? await hydratedPaths(mirror, head, signal) : []
  const tree = await openCommitTree(mirror.objects, context.trees, head)
  const manifests = path === undefined ? undefined : await readManifests(tree, path)
  const foundTools = Object.keys(soughtTools).length > 0 ? await toolsInUse(tree, soughtTools) : []
  const headDate = withHeadDate ? (await readCommitterDate(mirror.objects, head)).toISOString() : ''
  const tools = withTools ? await branchTools(tree) : {}
  return { ...found, paths, ...manifests, tools, foundTools, headDate }
}

async function compareWithKnown(
  { trees }: CommitServerContext,
  mirror: Mirror,
  { branch, syncBranch, knownHead, interrupted }: GetBranchRequest,
  state: BranchState,
  refs: ReadonlyMap<string, string>,
  signal: AbortSignal,
): Promise<{ foreignChange?: ForeignChange; unchanged: boolean }> {
  if (knownHead === '') return { unchanged: false }
  if (!isCommitSha(knownHead))
    throw new InvalidInputError(`${JSON.stringify(knownHead)} is not a full commit id`)
  const merged = state.head === undefined && syncBranch !== ''
  const seen = merged ? await fetchBranchState(mirror, trees, { branch, syncBranch }, refs, signal) : state
  const { change, unchanged } = await findForeignChange(mirror, trees, knownHead, seen, signal, {
    interrupted,
  })
  if (!change) return { unchanged }
  return { foreignChange: { ...change, paths: change.paths.slice(0, maxForeignPaths) }, unchanged }
}

async function hydratedPaths(mirror: Mirror, head: string, signal: AbortSignal): Promise<string[]> {
  const args = ['ls-tree', '-r', '-z', '--name-only', '--full-tree', head]
  const { stdout } = await mirror.raw(args, { signal })
  const files = stdout.toString('utf8').split('\0')
  return files
    .filter((file) => file.endsWith(metadataSuffix))
    .map((file) => file.slice(0, -metadataSuffix.length))
}

/** Returns the identity of the manifests of a directory, and the versions that made them. */
async function readManifests(
  tree: CommitTree,
  path: string,
): Promise<{ manifestId: string; pathTools: Record<string, string> }> {
  const directory = cleanDestinationPath(path)
  const { manifests = [hydratedFiles.manifest], tools = [] } = (await heldMetadata(tree, directory)) ?? {}
  const ids: string[] = []
  for (const name of manifests) ids.push((await tree.entry(pathInside(directory, name)))?.id ?? '')
  const [first = ''] = ids
  const manifestId =
    manifests[0] === hydratedFiles.manifest
      ? first
      : createHash('sha256')
          .update(JSON.stringify([manifests, ids]))
          .digest('hex')
  return { manifestId, pathTools: { ...versionsOf(tools) } }
}
