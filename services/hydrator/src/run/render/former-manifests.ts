import { create } from '@bufbuild/protobuf'
import { NotFoundError } from '@wadi/errors/domain-error.ts'
import { GatesSchema } from '@wadi/protocol/gen/wadi/gates/v1/gates_pb.ts'
import { renderedPositions } from '@wadi/resources/application/dry-sources.ts'
import type { Directory } from '../branch-run.ts'
import type { InspectedDirectory } from '../inspect/inspect.ts'
import type { SourceBatch } from '../inspect/source-batches.ts'
import type { RunContext } from '../run-context.ts'
import type { RunInProgress } from '../run-outcome.ts'
import { heldDirectories } from './held-directories.ts'

/** Characters of former objects of one request, unless one directory has more. */
const maxFormerLength = 4 * 1024 * 1024

/** Returns the YAML of the objects that a directory has on the branch that is deployed from; empty for none. */
export type FormerOf = (directory: Directory) => Promise<string>

/**
 * Reads what directories have on the branch that is deployed from, which their new objects replace.
 * @param directories those that are asked for
 */
export function formerManifests(
  context: Pick<RunContext, 'commitServer'>,
  { run, outcome }: RunInProgress,
  directories: readonly Directory[],
  signal: AbortSignal,
): FormerOf {
  const { repoUrl, project } = run
  const readers = new Map<string, ReturnType<typeof heldDirectories>>()
  for (const [branch, some] of Map.groupBy(directories, deployedBranch)) {
    const revision = branch === run.branch ? outcome.position.headSha : branch
    const paths = some.map(({ path }) => path)
    readers.set(branch, heldDirectories(context, { repoUrl, project, revision }, paths, signal))
  }
  const read = async (directory: Directory): Promise<string> => {
    const branch = deployedBranch(directory)
    try {
      return (await readers.get(branch)?.(directory.path))?.manifest ?? ''
    } catch (error) {
      // A branch that nothing was merged to yet.
      if (error instanceof NotFoundError && branch !== run.branch) return ''
      throw error
    }
  }
  const shared = new Map<Directory, Promise<string>>()
  return (directory) => {
    // Each of its sources asks.
    const isShared = renderedPositions(directory.members[0].spec).length > 1
    return isShared ? shared.getOrInsertComputed(directory, read) : read(directory)
  }
}

function deployedBranch({ members }: Directory): string {
  return members[0].spec.syncSource.targetBranch
}

/** Gives sources the objects that they replace, in portions that stay below the limit on messages. */
export async function* withFormer(
  { items, sources }: SourceBatch<InspectedDirectory>,
  formerOf: FormerOf,
): AsyncGenerator<SourceBatch<InspectedDirectory>> {
  let portion: SourceBatch<InspectedDirectory> = { items: [], sources: [] }
  let length = 0
  for (const [index, inspected] of items.entries()) {
    const source = sources[index]
    if (source === undefined) continue
    const former = await formerOf(inspected.directory)
    if (length > 0 && length + former.length > maxFormerLength) {
      yield portion
      portion = { items: [], sources: [] }
      length = 0
    }
    portion.items.push(inspected)
    portion.sources.push(
      former === '' ? source : { ...source, gates: create(GatesSchema, { ...source.gates, former }) },
    )
    length += former.length
  }
  yield portion
}
