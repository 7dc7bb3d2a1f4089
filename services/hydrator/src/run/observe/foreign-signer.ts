import { errorMessage } from '@wadi/errors/domain-error.ts'
import { knownKeys, sourceVerification } from '@wadi/hydration/source-verification.ts'
import type { ForeignChange } from '@wadi/protocol/gen/wadi/commit_server/v1/commit_server_pb.ts'
import { readProjects } from '@wadi/resources/project/project-permission.ts'
import type { Member } from '../../applications/application-index.ts'
import { factsOf } from '../../applications/member-facts.ts'
import type { RunContext } from '../run-context.ts'

/**
 * Returns who signed the commit of a foreign change, in words, by the keys that the projects of the branch allow for its repository; of
 * projects without such a rule by all keys that are stored. Empty when there is no commit to name. An error stands in its place: the
 * change is reported all the same.
 */
export async function foreignSigner(
  { store, repoServer }: Pick<RunContext, 'store' | 'repoServer'>,
  { repoUrl, members }: { repoUrl: string; members: readonly Member[] },
  { commit: sha, commitObject }: ForeignChange,
  signal: AbortSignal,
): Promise<string> {
  if (sha === '' || commitObject.length === 0) return ''
  try {
    const projects = await readProjects(store, factsOf(members).projects)
    const { policies } = await sourceVerification(store, { repoUrl, projects, revision: sha })
    const keys = await knownKeys(store)
    const request = { repoUrl, sha, commit: commitObject, policies, keys }
    return (await repoServer.checkSignature(request, { signal })).signer
  } catch (error) {
    signal.throwIfAborted()
    return `with a signature that could not be checked (${errorMessage(error)})`
  }
}
