import { ActionIcon, Menu } from '@mantine/core'
import { CopyIcon } from '@primer/octicons-react/CopyIcon'
import { KebabHorizontalIcon } from '@primer/octicons-react/KebabHorizontalIcon'
import { PencilIcon } from '@primer/octicons-react/PencilIcon'
import { TrashIcon } from '@primer/octicons-react/TrashIcon'
import { t } from '../language/t.ts'

interface ActionMenuProps {
  /** Names the menu for screen readers. */
  label: string
  /** Each is absent for those who may not. */
  edit?: (() => void) | undefined
  copy?: (() => void) | undefined
  remove?: (() => void) | undefined
}

/** Edits, copies and deletes one thing, as far as the caller may; nothing for those who may do none of it. */
export function ActionMenu({ label, edit, copy, remove }: ActionMenuProps) {
  if (!edit && !copy && !remove) return null
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <ActionIcon variant="default" size={36} aria-label={label}>
          <KebabHorizontalIcon />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {edit && (
          <Menu.Item leftSection={<PencilIcon />} onClick={edit}>
            {t('Edit')}
          </Menu.Item>
        )}
        {copy && (
          <Menu.Item leftSection={<CopyIcon />} onClick={copy}>
            {t('Copy')}
          </Menu.Item>
        )}
        {remove && (
          <Menu.Item leftSection={<TrashIcon />} onClick={remove}>
            {t('Delete')}
          </Menu.Item>
        )}
      </Menu.Dropdown>
    </Menu>
  )
}
