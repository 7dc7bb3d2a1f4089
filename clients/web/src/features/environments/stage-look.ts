import { CheckCircleIcon } from '@primer/octicons-react/CheckCircleIcon'
import { CircleIcon } from '@primer/octicons-react/CircleIcon'
import { ClockIcon } from '@primer/octicons-react/ClockIcon'
import { GitPullRequestIcon } from '@primer/octicons-react/GitPullRequestIcon'
import { StopIcon } from '@primer/octicons-react/StopIcon'
import { SyncIcon } from '@primer/octicons-react/SyncIcon'
import { XCircleIcon } from '@primer/octicons-react/XCircleIcon'
import { t } from '../../language/t.ts'

const looks = {
  Hydrated: { label: t('Hydrated'), color: 'teal', Icon: CheckCircleIcon },
  Promoted: { label: t('Promoted'), color: 'teal', Icon: CheckCircleIcon },
  Running: { label: t('Running'), color: 'blue', Icon: SyncIcon },
  Waiting: { label: t('Waiting'), color: 'orange', Icon: ClockIcon },
  PullRequest: { label: t('Pull request'), color: 'orange', Icon: GitPullRequestIcon },
  HeldBack: { label: t('Held back'), color: 'red', Icon: StopIcon },
  Failed: { label: t('Failed'), color: 'red', Icon: XCircleIcon },
  '': { label: t('Not known yet'), color: 'gray', Icon: CircleIcon },
} as const

/** The word, the colour and the icon of the state of a stage. */
export function stageLook(state: string) {
  return looks[isState(state) ? state : '']
}

function isState(state: string): state is keyof typeof looks {
  return Object.hasOwn(looks, state)
}
