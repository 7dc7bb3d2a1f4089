import type { CommitStage } from '@wadi/protocol/gen/wadi/api_gateway/v1/dry_commits_pb.ts'
import { t } from '../../language/t.ts'

const outcomes = new Map([
  ['Changed', { label: t('Changed'), color: 'teal' }],
  ['Together', { label: t('With a newer commit'), color: 'cyan' }],
  ['Unchanged', { label: t('Nothing changed'), color: 'gray' }],
  ['Promoted', { label: t('Promoted'), color: 'teal' }],
  ['Waiting', { label: t('Waiting'), color: 'orange' }],
])

const failed = { label: t('Failed'), color: 'red' }
const unknown = { label: t('Not known'), color: 'gray' }

/** The word and the colour of what became of a dry commit on a branch. */
export function commitOutcome({ outcome, run }: Pick<CommitStage, 'outcome' | 'run'>): {
  label: string
  color: string
} {
  // It waits for somebody to fix it.
  if (outcome === 'Waiting' && run?.phase === 'Failed') return failed
  return outcomes.get(outcome) ?? unknown
}
