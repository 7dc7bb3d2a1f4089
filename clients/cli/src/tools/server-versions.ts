import { repositoryIdentity } from '@wadi/git/remote/repository-identity.ts'
import type { BranchSummary } from '@wadi/protocol/gen/wadi/api_gateway/v1/branch_service_pb.ts'
import { listBranches } from '../branches/list-branches.ts'
import type { CommandSession } from '../command-line/command-session.ts'
import { type KeptVersions, keptVersions, nothingKept } from './kept-versions.ts'

/** The versions that the hydrated branches of a server keep. */
export class ServerVersions {
  readonly #session: CommandSession
  readonly #text: string
  #branches: Promise<readonly BranchSummary[]> | undefined

  /** @param text a part of the repositories or branches that are asked for; empty for all */
  constructor(session: CommandSession, text = '') {
    this.#session = session
    this.#text = text
  }

  /** Asks the server the first time. Nothing is kept by a branch that was not hydrated yet. */
  async of(repoUrl: string, branch: string): Promise<KeptVersions> {
    this.#branches ??= listBranches(this.#session, { text: this.#text, phases: [] }).then(
      ({ branches }) => branches,
    )
    const identity = repositoryIdentity(repoUrl)
    const found = (await this.#branches).find(
      (one) => one.branch === branch && repositoryIdentity(one.repoUrl) === identity,
    )
    return found ? keptVersions(found.tools, `kept by branch ${branch}`) : nothingKept
  }
}
