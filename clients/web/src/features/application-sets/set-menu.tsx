import { useDisclosure } from '@mantine/hooks'
import { useNavigate } from '@tanstack/react-router'
import { ActionMenu } from '../../components/action-menu.tsx'
import { useRight } from '../../server/rights.ts'
import { DeleteSetDialog, type SetName } from './delete-set-dialog.tsx'
import { t } from '../../language/t.ts'

interface SetMenuProps {
  name: SetName
  project: string
  /** The version that the page shows. */
  version: string
}

/** Copies and deletes an ApplicationSet, as far as the caller may do that with its Applications. */
export function SetMenu({ name, project, version }: SetMenuProps) {
  const navigate = useNavigate()
  const [isDeleting, { open, close }] = useDisclosure()
  const mayCopy = useRight('applications', 'create', `${project}/*`)
  const mayDelete = useRight('applications', 'delete', `${project}/*`)
  const copy = () =>
    void navigate({ to: '/application-sets/new', search: { copy: `${name.namespace}/${name.name}` } })
  return (
    <>
      <ActionMenu
        label={t('More actions')}
        copy={mayCopy ? copy : undefined}
        remove={mayDelete ? open : undefined}
      />
      {isDeleting && <DeleteSetDialog set={name} version={version} close={close} />}
    </>
  )
}
