import { Switch, Text } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { Code } from '@connectrpc/connect'
import { useMutation, useQuery } from '@connectrpc/connect-query'
import { useNavigate } from '@tanstack/react-router'
import { ApplicationSetService } from '@wadi/protocol/gen/wadi/application_sets/v1/application_sets_pb.ts'
import { useState } from 'react'
import { AffectedNames, DeleteQuestion } from '../../components/delete-question.tsx'
import { ErrorState } from '../../components/error-state.tsx'
import { Loading } from '../../components/loading.tsx'
import { t } from '../../language/t.ts'

const { deleteApplicationSet } = ApplicationSetService.method

/** The name of an ApplicationSet. */
export interface SetName {
  namespace: string
  name: string
}

function deletedText(name: string, left: number): string {
  if (left === 0) return t('{name} is deleted.', { name })
  return t('{name} is deleted. {count, plural, one {# Application stays.} other {# Applications stay.}}', {
    name,
    count: left,
  })
}

interface DeleteSetDialogProps {
  set: SetName
  /** The version that the page shows. */
  version: string
  close: () => void
}

/**
 * Names the Applications that go with a set, asks, and deletes the set that was shown when it opened, with just these; when the set has got
 * another one meanwhile, it asks again.
 */
export function DeleteSetDialog({ set, version, close }: DeleteSetDialogProps) {
  const navigate = useNavigate()
  const [orphan, setOrphan] = useState(false)
  // The page below follows the server; the question is about what it showed.
  const [seen] = useState(version)
  const plan = useQuery(
    deleteApplicationSet,
    { ...set, dryRun: true, version: seen },
    { gcTime: 0, staleTime: 0, retry: false },
  )
  const remove = useMutation(deleteApplicationSet, {
    onSuccess: ({ applications }) => {
      notifications.show({ message: deletedText(set.name, orphan ? applications.length : 0) })
      void navigate({ to: '/application-sets', ignoreBlocker: true })
    },
    onError: ({ code }) => (code === Code.Aborted ? plan.refetch() : undefined),
  })
  const names = plan.data?.applications ?? []
  const request = { ...set, orphan, reviewedApplications: names, isReviewed: true, version: seen }
  return (
    <DeleteQuestion
      what={set.name}
      deletion={remove}
      remove={() => remove.mutate(request)}
      close={close}
      isReviewed={plan.isSuccess && !plan.isFetching}
      button={
        names.length === 0 || orphan
          ? t('Delete')
          : t('{count, plural, one {Delete it and # Application} other {Delete it and # Applications}}', {
              count: names.length,
            })
      }
    >
      {plan.isPending && <Loading />}
      {plan.isError && !remove.isError && (
        <ErrorState
          title={t('Its Applications cannot be listed')}
          error={plan.error}
          {...(plan.error.code !== Code.Aborted && { retry: () => void plan.refetch() })}
        />
      )}
      {plan.isSuccess && names.length === 0 && <Text size="sm">{t('It has no Applications.')}</Text>}
      {names.length > 0 && (
        <Switch
          label={t('Keep its Applications, owned by nobody')}
          checked={orphan}
          onChange={({ currentTarget }) => setOrphan(currentTarget.checked)}
        />
      )}
      <AffectedNames
        title={orphan ? t('These Applications stay:') : t('These Applications are deleted with it:')}
        names={names}
      />
      <Text size="sm">{t('Hydrated files stay on the branches, unless the installation prunes them.')}</Text>
    </DeleteQuestion>
  )
}
