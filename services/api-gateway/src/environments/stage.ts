import type { MessageInitShape } from '@bufbuild/protobuf'
import type { StageSchema } from '@wadi/protocol/gen/wadi/api_gateway/v1/environment_service_pb.ts'
import type { StagedApplication } from './staged-applications.ts'

/** The fields of the message `Stage` but for those that depend on other stages. */
export type StageFields = Required<
  Omit<
    Extract<MessageInitShape<typeof StageSchema>, { $typeName?: never }>,
    'behind' | '$typeName' | '$unknown'
  >
>

/** The states of a stage. */
export type StageState =
  | ''
  | 'Hydrated'
  | 'Promoted'
  | 'Waiting'
  | 'Running'
  | 'Failed'
  | 'HeldBack'
  | 'PullRequest'

/** A stage of which nothing is known but its Applications. */
export function emptyStage(
  applications: readonly StagedApplication[],
  branch: string,
  promotedFrom: string,
): StageFields {
  const [first] = applications
  if (!first) throw new Error('a stage has an Application')
  const { namespace, name, syncRepoUrl } = first.source.spec
  return {
    repoUrl: syncRepoUrl,
    branch,
    targetRevision: first.member.targetRevision,
    promotedFrom,
    drySha: '',
    version: '',
    since: '',
    nextDrySha: '',
    state: '',
    reason: '',
    pullRequestUrl: '',
    applications: applications.length,
    hydratedSha: '',
    application: `${namespace}/${name}`,
    pullRequest: '',
    stagedSha: '',
    changes: [],
  }
}
