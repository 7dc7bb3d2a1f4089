import { CheckCircleIcon } from '@primer/octicons-react/CheckCircleIcon'
import { CircleIcon } from '@primer/octicons-react/CircleIcon'
import { ClockIcon } from '@primer/octicons-react/ClockIcon'
import { GitPullRequestIcon } from '@primer/octicons-react/GitPullRequestIcon'
import { StopIcon } from '@primer/octicons-react/StopIcon'
import { SyncIcon } from '@primer/octicons-react/SyncIcon'
import { XCircleIcon } from '@primer/octicons-react/XCircleIcon'

const looks = {
  Hydrated: { label: 'Hydrated', color: 'teal', Icon: CheckCircleIcon },
  Promoted: { label: 'Promoted', color: 'teal', Icon: CheckCircleIcon },
  Running: { label: 'Running', color: 'blue', Icon: SyncIcon },
  Waiting: { label: 'Waiting', color: 'orange', Icon: ClockIcon },
  PullRequest: { label: 'Pull request', color: 'orange', Icon: GitPullRequestIcon },
  HeldBack: { label: 'Held back', color: 'red', Icon: StopIcon },
  Failed: { label: 'Failed', color: 'red', Icon: XCircleIcon },
  '': { label: 'Not known yet', color: 'gray', Icon: CircleIcon },
} as const

/** The word, the colour and the icon of the state of a stage. */
export function stageLook(state: string) {
  return looks[isState(state) ? state : '']
}

function isState(state: string): state is keyof typeof looks {
  return Object.hasOwn(looks, state)
}
