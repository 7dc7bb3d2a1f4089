import { ActionIcon, Menu } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { CopyIcon } from '@primer/octicons-react/CopyIcon'
import { KebabHorizontalIcon } from '@primer/octicons-react/KebabHorizontalIcon'
import { PencilIcon } from '@primer/octicons-react/PencilIcon'
import { TrashIcon } from '@primer/octicons-react/TrashIcon'
import { useNavigate } from '@tanstack/react-router'
import { useRight } from '../../server/rights.ts'
import type { ApplicationName } from './application-name.ts'
import type { ApplicationState } from './application-state.ts'
import { DeleteDialog } from './delete-dialog.tsx'

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
  if (!mayEdit && !mayCopy && !mayDelete) return null
  const edit = () =>
    void navigate({
      to: '/applications/$namespace/$name',
      params: { namespace, name },
      search: { tab: 'object' },
    })
  const copy = () => void navigate({ to: '/applications/new', search: { copy: `${namespace}/${name}` } })
  return (
    <>
      <Menu position="bottom-end">
        <Menu.Target>
          <ActionIcon variant="default" size={36} aria-label="More actions">
            <KebabHorizontalIcon />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          {mayEdit && (
            <Menu.Item leftSection={<PencilIcon />} onClick={edit}>
              Edit
            </Menu.Item>
          )}
          {mayCopy && (
            <Menu.Item leftSection={<CopyIcon />} onClick={copy}>
              Copy
            </Menu.Item>
          )}
          {mayDelete && (
            <Menu.Item leftSection={<TrashIcon />} onClick={open}>
              Delete
            </Menu.Item>
          )}
        </Menu.Dropdown>
      </Menu>
      {isDeleting && (
        <DeleteDialog name={{ namespace, name }} state={state} version={version} close={close} />
      )}
    </>
  )
}
