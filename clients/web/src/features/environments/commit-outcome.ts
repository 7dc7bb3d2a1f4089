import type { CommitStage } from '@wadi/protocol/gen/wadi/api_gateway/v1/dry_commits_pb.ts'

const outcomes = new Map([
  ['Changed', { label: 'Changed', color: 'teal' }],
  ['Together', { label: 'With a newer commit', color: 'cyan' }],
  ['Unchanged', { label: 'Nothing changed', color: 'gray' }],
  ['Promoted', { label: 'Promoted', color: 'teal' }],
  ['Waiting', { label: 'Waiting', color: 'orange' }],
])

const failed = { label: 'Failed', color: 'red' }
const unknown = { label: 'Not known', color: 'gray' }

/** The word and the colour of what became of a dry commit on a branch. */
export function commitOutcome({ outcome, run }: Pick<CommitStage, 'outcome' | 'run'>): {
  label: string
  color: string
} {
  // It waits for somebody to fix it.
  if (outcome === 'Waiting' && run?.phase === 'Failed') return failed
  return outcomes.get(outcome) ?? unknown
}
