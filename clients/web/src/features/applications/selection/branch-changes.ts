import type { ApplicationSummary } from '@wadi/protocol/gen/wadi/api_gateway/v1/application_summaries_pb.ts'

type Branches = Pick<ApplicationSummary, 'syncBranch' | 'hydrateToBranch'>

/** Returns in words which branches of an Application change; empty if they are as wanted. Empty wanted ones keep the branch. */
export function branchChangeText(own: Branches, wanted: Branches): string {
  return [
    changeText('', own.syncBranch, wanted.syncBranch),
    changeText('staging ', own.hydrateToBranch, wanted.hydrateToBranch),
  ]
    .filter((text) => text !== '')
    .join('; ')
}

function changeText(kind: string, before: string, after: string): string {
  if (after === '' || after === before) return ''
  return before === '' ? `${kind}${after} is new` : `${kind}${before} becomes ${after}`
}
