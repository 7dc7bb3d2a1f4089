import {
  type Environments,
  EnvironmentsSchema,
} from '@wadi/protocol/gen/wadi/api_gateway/v1/environment_service_pb.ts'
import { shortSha } from '../applications/hydration-state.ts'
import { messageObject } from '../output/message-output.ts'
import { structuredText } from '../output/structured-output.ts'
import { tableText } from '../output/table.ts'

/** Returns what `env list` prints. */
export function environmentListText(
  environments: readonly Environments[],
  format: 'wide' | 'json' | 'yaml',
): string {
  if (format !== 'wide') {
    return structuredText(
      environments.map((each) => messageObject(EnvironmentsSchema, each)),
      format,
    )
  }
  const headers = ['STAGE', 'FROM', 'STATE', 'DRY', 'SINCE', 'PULL REQUEST', 'REPO', 'REASON']
  const rows = environments.flatMap(({ repoUrl, stages }) =>
    stages.map((stage) => [
      stage.branch,
      stage.promotedFrom,
      stage.state,
      stage.version || shortSha(stage.drySha),
      stage.since,
      stage.pullRequestUrl,
      repoUrl,
      stage.reason,
    ]),
  )
  return tableText(headers, rows)
}
