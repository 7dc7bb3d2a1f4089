import { ForgeClient } from '@wadi/forges/forge-client.ts'
import { TreeCache } from '@wadi/git/objects/commit-tree.ts'
import { RemoteRefsCache } from '@wadi/repositories/remote-refs.ts'
import type { openRepositories } from '@wadi/repositories/repository-fixture.ts'
import { createLogger } from '@wadi/telemetry/logger.ts'
import { createMetrics } from '@wadi/telemetry/metrics.ts'
import type { CommitServerContext } from '../context.ts'
import { createCommitServerEvents } from '../events.ts'
import { ForgeFailures } from '../forges/forge-failures.ts'
import { RepositoryWriters } from '../push/repository-writers.ts'

/**
 * Returns the context of RPCs that commit without signatures.
 * @param log receives the lines of the log
 */
export function contextOf(
  { repositories, mirrors }: Pick<Awaited<ReturnType<typeof openRepositories>>, 'repositories' | 'mirrors'>,
  { maxCommitBytes, log }: { maxCommitBytes: number; log?: (line: string) => void },
): CommitServerContext {
  const write = log ?? (() => undefined)
  const logger = createLogger({ service: 'commit-server', level: 'info', format: 'json', write })
  return {
    repositories,
    mirrors,
    trees: new TreeCache(),
    forges: new ForgeClient({ waitMs: 0, answerMs: 1_000 }),
    forgeFailures: new ForgeFailures(),
    writers: new RepositoryWriters(new TreeCache()),
    remoteRefs: new RemoteRefsCache(0),
    events: createCommitServerEvents(logger, createMetrics('commit-server')),
    signing: undefined,
    attests: false,
    maxCommitBytes,
  }
}
