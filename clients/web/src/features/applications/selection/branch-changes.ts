import type { ApplicationSummary } from '@wadi/protocol/gen/wadi/api_gateway/v1/application_summaries_pb.ts'
import { t } from '../../../language/t.ts'

type Branches = Pick<ApplicationSummary, 'syncBranch' | 'hydrateToBranch'>

/** Returns in words which branches of an Application change; empty if they are as wanted. Empty wanted ones keep the branch. */
export function branchChangeText(own: Branches, wanted: Branches): string {
  return [
    changeText(own.syncBranch, wanted.syncBranch),
    stagingText(own.hydrateToBranch, wanted.hydrateToBranch),
  ]
    .filter((text) => text !== '')
    .join('; ')
}

function changeText(before: string, after: string): string {
  if (after === '' || after === before) return ''
  return before === ''
    ? t('{name} is new', { name: after })
    : t('{before} becomes {after}', { before, after })
}

function stagingText(before: string, after: string): string {
  if (after === '' || after === before) return ''
  return before === ''
    ? t('staging {name} is new', { name: after })
    : t('staging {before} becomes {after}', { before, after })
}
