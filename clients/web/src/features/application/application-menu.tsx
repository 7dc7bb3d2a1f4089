import { useDisclosure } from '@mantine/hooks'
import { useNavigate } from '@tanstack/react-router'
import { ActionMenu } from '../../components/action-menu.tsx'
import { useRight } from '../../server/rights.ts'
import type { ApplicationName } from './application-name.ts'
import type { ApplicationState } from './application-state.ts'
import { DeleteDialog } from './delete-dialog.tsx'
import { t } from '../../language/t.ts'

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
