import type { MessageInitShape } from '@bufbuild/protobuf'
import { addPortion } from '@wadi/changes/applications/portions.ts'
import type {
  ApplicationChanges,
  ChangesSummary,
  CompareRevisionsRequestSchema,
} from '@wadi/protocol/gen/wadi/changes/v1/changes_pb.ts'
import type { GatewayClient } from './gateway-fixture.ts'
import type { RepositoryFixture } from './repository-fixture.ts'

/** A comparison that is over. */
export interface Compared {
  summary: ChangesSummary
  /** By name of the Application. */
  applications: Map<string, ApplicationChanges>
}

/** Compares revisions as a user of the public API. */
export async function compareRevisions(
  { reviews }: Pick<GatewayClient, 'reviews'>,
  request: MessageInitShape<typeof CompareRevisionsRequestSchema>,
): Promise<Compared> {
  const applications: ApplicationChanges[] = []
  let summary: ChangesSummary | undefined
  for await (const { message } of reviews.compareRevisions(request, { timeoutMs: 180_000 })) {
    if (message.case === 'application') addPortion(applications, message.value)
    // Leaving the loop would not end the call.
    if (message.case === 'summary') summary = message.value
  }
  if (!summary) throw new Error('the comparison ended without a summary')
  return { summary, applications: new Map(applications.map((one) => [one.name, one])) }
}

/** Pushes a commit on top of `main` to another ref, which does not touch `main`; undefined deletes a file. */
export async function propose(
  repository: RepositoryFixture,
  ref: string,
  files: Record<string, string | undefined>,
): Promise<string> {
  const { git } = repository.dry
  const main = await repository.head('main')
  const sha = await repository.dry.commitFiles(files, 'Propose a change')
  await git.raw(['reset', '--quiet', '--hard', main])
  await repository.pointRef(ref, sha)
  return sha
}

/** `change kind name` of each object of an Application. */
export function objectsOf(changes: ApplicationChanges | undefined): string[] {
  return (changes?.objects ?? []).map(
    ({ change, identity, file }) => `${change} ${identity ? `${identity.kind} ${identity.name}` : file}`,
  )
}
