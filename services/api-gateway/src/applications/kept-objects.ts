import { LRUCache } from 'lru-cache'
import { SharedWork } from '@wadi/concurrency/shared-work.ts'
import { FailedPreconditionError, InvalidInputError } from '@wadi/errors/domain-error.ts'
import { isCommitSha } from '@wadi/git/mirror/revision.ts'
import { type Application, hydratedBranchOf } from '@wadi/resources/application/application.ts'
import type { GatewayContext } from '../context.ts'
import { type HydratedObject, readHydratedObjects } from './hydrated-objects.ts'

/** The objects that an Application has in a hydrated commit. */
export interface ObjectsOfCommit {
  hydratedSha: string
  /** Empty when unknown. */
  drySha: string
  /** The text of `hydrator.metadata`; empty without one. */
  metadata: string
  objects: readonly HydratedObject[]
}

/** Reads the objects of Applications. */
export interface KeptObjects {
  /**
   * Returns the objects of a hydrated commit, which are read once for all pages of a list.
   * @param hydratedSha empty for the head of the branch, which is read again
   * @throws InvalidInputError for what is not a full commit id, FailedPreconditionError for an Application that is not hydrated
   */
  of(application: Application, name: string, hydratedSha: string): Promise<ObjectsOfCommit>
}

/** Characters of manifests that are kept, of the directories that were asked for last: several of the largest that are hydrated. */
const maxKept = 48 * 1024 * 1024

/** Keeps the objects of the hydrated commits that were asked for last. */
export function keepObjects({ commitServer }: Pick<GatewayContext, 'commitServer'>): KeptObjects {
  const kept = new LRUCache<string, ObjectsOfCommit, () => Promise<ObjectsOfCommit>>({
    maxSize: maxKept,
    sizeCalculation: ({ objects }) => 1 + objects.reduce((sum, { yaml }) => sum + yaml.length, 0),
    fetchMethod: (_key, _stale, { context }) => context(),
  })
  const newest = new SharedWork<ObjectsOfCommit>('reading the branch')
  return {
    async of(application, name, hydratedSha) {
      if (hydratedSha !== '' && !isCommitSha(hydratedSha)) {
        throw new InvalidInputError(`hydratedSHA ${JSON.stringify(hydratedSha)} is not a full commit id`)
      }
      const branch = hydratedBranchOf(application)
      if (!branch) throw new FailedPreconditionError(`application ${name} has no spec.sourceHydrator`)
      const path = application.hydrated?.syncSource.path ?? ''
      const { project } = application
      const keyOf = (sha: string) => [branch.repoUrl, project, path, sha].join('\n')
      // Others wait for the same answer, so that it does not end with the call of one.
      const read = async (): Promise<ObjectsOfCommit> => {
        const revision = hydratedSha || branch.branch
        const answer = await commitServer.getManifests({ repoUrl: branch.repoUrl, revision, path, project })
        const { drySha, metadata } = answer
        const known = kept.get(keyOf(answer.hydratedSha))
        if (known) return known
        const objects = await readHydratedObjects(answer, path)
        return { hydratedSha: answer.hydratedSha, drySha, metadata, objects }
      }
      if (hydratedSha !== '') return kept.forceFetch(keyOf(hydratedSha), { context: read })
      return newest.run(keyOf(branch.branch), undefined, async () => {
        const head = await read()
        kept.set(keyOf(head.hydratedSha), head)
        return head
      })
    },
  }
}
