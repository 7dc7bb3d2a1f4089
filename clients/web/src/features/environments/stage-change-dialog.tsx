import { Alert, Button, List, Stack, Text } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { createConnectQueryKey, useMutation } from '@connectrpc/connect-query'
import { AlertIcon } from '@primer/octicons-react/AlertIcon'
import { useQueryClient } from '@tanstack/react-query'
import {
  type Environments,
  EnvironmentService,
  type Stage,
} from '@wadi/protocol/gen/wadi/api_gateway/v1/environment_service_pb.ts'
import { Dialog, DialogButtons } from '../../components/dialog.tsx'
import { ErrorState } from '../../components/error-state.tsx'
import { GivenText } from '../../components/given-text.tsx'
import { OutsideLink } from '../../components/outside-link.tsx'
import { broughtCommits, changedText, isAsSeen, type StageChange, stageChanges } from './stage-change.ts'
import { t } from '../../language/t.ts'

const { changePullRequest, listEnvironments } = EnvironmentService.method

/** Commits that are listed; of others the number is shown. */
const maxListed = 5

interface StageChangeDialogProps {
  change: StageChange
  /** The stage as it was when the dialog opened, which is what is changed. */
  seen: Stage
  now: Stage
  environments: Environments
  /** Takes the stage as it is now for what was seen. */
  lookAgain: () => void
  close: () => void
}

/** Says what a change of the pull request of a stage does, and does it if nothing has moved since. */
export function StageChangeDialog(props: StageChangeDialogProps) {
  const { change, seen, now, environments, lookAgain, close } = props
  const save = useStageChange(props)
  const { title, button } = stageChanges[change]
  const isOffered = now.changes.includes(change)
  const isSame = isAsSeen(seen, now, change)
  return (
    <Dialog title={<GivenText text={title(seen)} />} close={close}>
      <Stack>
        <Effect change={change} stage={seen} />
        {change !== 'close' && isSame && <Brought stage={now} environments={environments} />}
        {save.isError && <ErrorState title={t('Nothing was changed')} error={save.error} />}
        {!isSame && <Moved stage={now} />}
        <DialogButtons isLeaveFirst>
          {isSame && (
            <Button
              loading={save.isPending}
              {...(change === 'close' && { color: 'red' })}
              onClick={() => save.mutate(requestOf(change, seen))}
            >
              {button}
            </Button>
          )}
          {!isSame && isOffered && <Button onClick={lookAgain}>{t('Show it as it is now')}</Button>}
        </DialogButtons>
      </Stack>
    </Dialog>
  )
}

function useStageChange({ seen, close }: StageChangeDialogProps) {
  const cache = useQueryClient()
  return useMutation(changePullRequest, {
    onSuccess: (changed) => {
      const { url, message } = changed
      close()
      notifications.show({
        color: message === '' ? 'teal' : 'orange',
        title: changedText(seen, changed),
        message: <OutsideLink url={url} words={message || t('Show it on the forge')} />,
      })
    },
    // Also after an error: the stage is not what was seen.
    onSettled: () =>
      cache.invalidateQueries({
        queryKey: createConnectQueryKey({ schema: listEnvironments, cardinality: 'finite' }),
      }),
  })
}

function requestOf(change: StageChange, stage: Stage) {
  const { repoUrl, promotedFrom, branch, stagedSha, hydratedSha, pullRequest } = stage
  return {
    repoUrl,
    branch: promotedFrom,
    baseBranch: branch,
    change,
    headSha: stagedSha,
    baseSha: hydratedSha,
    number: change === 'open' ? '' : pullRequest,
  }
}

/** The effect of a change in words. */
function Effect({ change, stage }: { change: StageChange; stage: Stage }) {
  const { promotedFrom, branch, stagedSha, hydratedSha, applications } = stage
  const at = hydratedSha.slice(0, 7)
  const from = t('{branch} at {sha}', { branch: promotedFrom, sha: stagedSha.slice(0, 7) })
  const to = t('{branch} at {sha}', { branch, sha: at })
  const effects = {
    open: t('Opens a pull request from {from} to {to}. Nothing is deployed before it is merged.', {
      from,
      to,
    }),
    merge: t(
      'Merges {from} to {to}, from which {count, plural, one {# Application is} other {# Applications are}} deployed.',
      { from, to, count: applications },
    ),
    close: t('Closes the pull request from {from} without a merge. {branch} stays at {at}.', {
      from,
      branch,
      at,
    }),
    reopen: t('Opens the pull request from {from} to {to} again. Nothing is deployed before it is merged.', {
      from,
      to,
    }),
  }
  return (
    <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
      <GivenText text={effects[change]} />
    </Text>
  )
}

/** The dry commits that the stage gets. */
function Brought({ stage, environments }: { stage: Stage; environments: Environments }) {
  const commits = broughtCommits(stage, environments)
  if (commits.length === 0) return null
  // The first dry commit of the history that the stage lacks is known only if its own one is.
  const isCounted = environments.commits.some(({ sha }) => sha === stage.drySha)
  const listed = commits.slice(0, isCounted ? maxListed : 1)
  const more = isCounted ? commits.length - listed.length : 0
  return (
    <div>
      <Text size="sm" fw={600}>
        {isCounted
          ? t('{count, plural, one {Brings # dry commit} other {Brings # dry commits}}', {
              count: commits.length,
            })
          : t('Brings everything up to dry commit')}
      </Text>
      <List size="sm">
        {listed.map(({ sha, subject }) => (
          <List.Item key={sha}>
            <code>{sha.slice(0, 7)}</code> <GivenText text={subject} />
          </List.Item>
        ))}
        {more > 0 && (
          <List.Item>{t('and {count, plural, one {# other} other {# others}}', { count: more })}</List.Item>
        )}
      </List>
    </div>
  )
}

/** The stage is another than the dialog was opened for, so the change is not done. */
function Moved({ stage }: { stage: Stage }) {
  const { promotedFrom, branch, stagedSha, hydratedSha, reason, pullRequest } = stage
  const places = t('Now {staged} is at {stagedSha}, {branch} at {sha}.', {
    staged: promotedFrom,
    stagedSha: stagedSha.slice(0, 7),
    branch,
    sha: hydratedSha.slice(0, 7),
  })
  const request = pullRequest === '' ? '' : t('Pull request {number}', { number: pullRequest })
  return (
    <Alert color="orange" icon={<AlertIcon />} title={t('It has changed meanwhile')} role="alert">
      <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
        <GivenText text={[places, [request, reason].filter(Boolean).join(': ')].filter(Boolean).join(' ')} />
      </Text>
    </Alert>
  )
}
