import path from 'node:path'
import type { MessageInitShape } from '@bufbuild/protobuf'
import type {
  BranchPosition,
  CommitManifestsRequestSchema,
} from '@wadi/protocol/gen/wadi/commit_server/v1/commit_server_pb.ts'
import { type CommitServerBed, openCommitServerBed } from '../commit-server-bed.ts'
import type { Effort } from '../effort.ts'
import { hydratedDetails } from '../hydrated-details.ts'
import { atMost, type Cost, costText, type Measurement, median } from '../measurement.ts'
import { cpuSeconds, endedChildrenCpuSeconds } from '../process-tree.ts'
import { runGit } from '../run-git.ts'

const branch = 'environments/prod'
const standardPaths = 1_000
const standardRounds = 5
const bar = 3

/** Changes every path through commit-server's RPC and compares with `git fast-import` and `git push` of the same commit. */
export async function measureCommitServer(directory: string, effort: Effort): Promise<Measurement[]> {
  const paths = effort.applications(standardPaths)
  const rounds = effort.rounds(standardRounds)
  await using bed = await openCommitServerBed(directory)
  const clone = path.join(directory, 'plain-clone.git')
  await runGit(['init', '--quiet', '--bare', clone], bed.gitEnvironment)
  const server: Cost[] = []
  const plain: Cost[] = []
  let head = ''
  for (let edition = 0; edition <= rounds; edition++) {
    const { position } = await bed.client.getBranch({ repoUrl: bed.hydrated.url, branch })
    const commitCost = await commit(bed, position, paths, edition)
    const exported = await exportCommit(bed, head)
    const plainCost = await importAndPush(bed, clone, exported.stream)
    head = exported.head
    // The first edition makes the branch and warms everything up.
    if (edition === 0) continue
    server.push(commitCost)
    plain.push(plainCost)
  }
  const [ours, theirs] = [median(server), median(plain)]
  const basis = `median of ${rounds}: ${costText(ours)}; git: ${costText(theirs)}`
  return [atMost(`commit-server, ${paths} paths`, ours.wall / theirs.wall, '× git', bar, basis)]
}

async function commit(
  { client, hydrated, pid }: CommitServerBed,
  base: BranchPosition | undefined,
  paths: number,
  edition: number,
): Promise<Cost> {
  const drySha = String(edition + 1).padStart(40, '0')
  const header = {
    repoUrl: hydrated.url,
    targetBranch: branch,
    drySha,
    commitMessage: `Edition ${edition}`,
    base: base ?? { headSha: '', drySha: '' },
    metadata: `${JSON.stringify({ drySha }, undefined, 2)}\n`,
  }
  const details = Array.from({ length: paths }, (_, index) => hydratedDetails(index, edition))
  async function* requests(): AsyncGenerator<MessageInitShape<typeof CommitManifestsRequestSchema>> {
    yield { message: { case: 'commit', value: header } }
    for (const value of details) yield { message: { case: 'details', value } }
  }
  const cpuBefore = cpuSeconds(pid)
  const started = performance.now()
  const { changedPaths } = await client.commitManifests(requests())
  const wall = (performance.now() - started) / 1000
  if (changedPaths.length !== paths) throw new Error(`${changedPaths.length} of ${paths} paths were changed`)
  return { wall, cpu: cpuSeconds(pid) - cpuBefore }
}

/** The newest hydrated commit as a stream for fast-import, on top of `parent`. */
async function exportCommit(
  { hydrated, gitEnvironment }: CommitServerBed,
  parent: string,
): Promise<{ head: string; stream: Buffer }> {
  const at = ['-C', hydrated.directory]
  const head = (await runGit([...at, 'rev-parse', branch], gitEnvironment)).toString().trim()
  const range = parent === '' ? [`refs/heads/${branch}`] : [`refs/heads/${branch}`, `^${parent}`]
  return {
    head,
    stream: await runGit([...at, 'fast-export', '--reference-excluded-parents', ...range], gitEnvironment),
  }
}

async function importAndPush(
  { plain, gitEnvironment }: CommitServerBed,
  clone: string,
  stream: Buffer,
): Promise<Cost> {
  const cpuBefore = endedChildrenCpuSeconds()
  const started = performance.now()
  await runGit(['-C', clone, 'fast-import', '--quiet', '--force'], gitEnvironment, stream)
  await runGit(['-C', clone, 'push', '--quiet', plain.url, `refs/heads/${branch}`], gitEnvironment)
  const wall = (performance.now() - started) / 1000
  return { wall, cpu: endedChildrenCpuSeconds() - cpuBefore }
}
