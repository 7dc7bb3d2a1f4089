import { Button } from '@mantine/core'
import { GitBranchIcon } from '@primer/octicons-react/GitBranchIcon'
import { SyncIcon } from '@primer/octicons-react/SyncIcon'
import { TagIcon } from '@primer/octicons-react/TagIcon'
import { TrashIcon } from '@primer/octicons-react/TrashIcon'
import type { ReactNode } from 'react'
import { useRightOnSome } from './use-right-on-some.ts'
import type { Selection } from './use-selection.ts'
import { t } from '../../../language/t.ts'

/** An action on all chosen Applications. */
export type SelectionAction = 'hydrate' | 'hydrate hard' | 'label' | 'move' | 'delete'

interface SelectionActionsProps {
  rows: Selection['rows']
  begin: (action: SelectionAction) => void
}

/** The buttons for what the caller may do to chosen Applications. */
export function SelectionActions({ rows, begin }: SelectionActionsProps) {
  const mayHydrate = useRightOnSome('sync', rows.values())
  const mayUpdate = useRightOnSome('update', rows.values())
  const mayDelete = useRightOnSome('delete', rows.values())
  const button = (action: SelectionAction, label: string, icon?: ReactNode) => (
    <Button
      key={action}
      size="xs"
      variant={action === 'hydrate' ? 'filled' : 'default'}
      leftSection={icon}
      onClick={() => begin(action)}
    >
      {label}
    </Button>
  )
  return [
    mayHydrate && button('hydrate', t('Hydrate'), <SyncIcon />),
    mayHydrate && button('hydrate hard', t('Hydrate hard')),
    mayUpdate && button('label', t('Label'), <TagIcon />),
    mayUpdate && button('move', t('Move'), <GitBranchIcon />),
    mayDelete && button('delete', t('Delete'), <TrashIcon />),
  ]
}
