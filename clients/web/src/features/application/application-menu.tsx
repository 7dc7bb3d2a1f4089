import { useMutation } from '@connectrpc/connect-query'
import { Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { notifications } from '@mantine/notifications'
import { useNavigate } from '@tanstack/react-router'
import { ApplicationService } from '@wadi/protocol/gen/wadi/api_gateway/v1/application_service_pb.ts'
import { useState } from 'react'
import { ActionMenu } from '../../components/action-menu.tsx'
import { DeleteQuestion } from '../../components/delete-question.tsx'
import { GivenText } from '../../components/given-text.tsx'
import { t } from '../../language/t.ts'
import { useRight } from '../../server/rights.ts'
import type { ApplicationName } from './application-name.ts'
import type { ApplicationState } from './application-state.ts'

interface ApplicationMenuProps {
  name: ApplicationName
  state: ApplicationState
  /** The version that the page shows. */
  version: string
}

/** Edits, copies and deletes the Application, as far as the caller may. */
export function ApplicationMenu({ name: { namespace, name }, state, version }: ApplicationMenuProps) {
  const navigate = useNavigate()
  const [isDeleting, { open, close }] = useDisclosure()
  const mayEdit = useRight('applications', 'update', `${state.project}/${name}`)
  const mayCopy = useRight('applications', 'create', `${state.project}/${name}-copy`)
  const mayDelete = useRight('applications', 'delete', `${state.project}/${name}`)
  const edit = () =>
    void navigate({
      to: '/applications/$namespace/$name',
      params: { namespace, name },
      search: { tab: 'object' },
    })
  const copy = () => void navigate({ to: '/applications/new', search: { copy: `${namespace}/${name}` } })
  return (
    <>
      <ActionMenu
        label={t('More actions')}
        edit={mayEdit ? edit : undefined}
        copy={mayCopy ? copy : undefined}
        remove={mayDelete ? open : undefined}
      />
      {isDeleting && (
        <DeleteDialog name={{ namespace, name }} state={state} version={version} close={close} />
      )}
    </>
  )
}

interface DeleteDialogProps {
  name: ApplicationName
  state: ApplicationState
  /** The version that the page shows; the one that it showed when the question was asked is deleted, and no other. */
  version: string
  close: () => void
}

/** Says what goes with an Application, asks, and deletes it. */
function DeleteDialog({ name: { namespace, name }, state, version, close }: DeleteDialogProps) {
  const navigate = useNavigate()
  const [seen] = useState(version)
  const remove = useMutation(ApplicationService.method.deleteApplication, {
    onSuccess: () => {
      notifications.show({ message: t('{name} is deleted.', { name }) })
      void navigate({ to: '/applications', ignoreBlocker: true })
    },
  })
  const { hydrateTo, syncBranch, syncPath, applicationSet } = state
  return (
    <DeleteQuestion
      what={name}
      deletion={remove}
      remove={() => remove.mutate({ namespace, name, version: seen })}
      close={close}
    >
      <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
        {t('The Application is removed.')}{' '}
        {state.isHydrated &&
          t.rich(
            'Its hydrated files, <path></path> on <branch></branch>, stay there, unless the installation prunes them.',
            { path: <GivenText text={syncPath} />, branch: <GivenText text={hydrateTo || syncBranch} /> },
          )}
      </Text>
      {applicationSet !== '' && (
        <Text size="sm">
          {t('ApplicationSet {name} generates it, and makes it again.', { name: applicationSet })}
        </Text>
      )}
    </DeleteQuestion>
  )
}
