import { DeleteDialog } from './delete-dialog.tsx'
import { HydrateDialog } from './hydrate-dialog.tsx'
import { LabelDialog } from './label-dialog.tsx'
import { MoveDialog } from './move-dialog.tsx'
import type { SelectionAction } from './selection-actions.tsx'
import type { Selection } from './use-selection.ts'

interface SelectionDialogProps {
  action: SelectionAction
  selection: Selection
  close: () => void
}

/** Asks for an action on the chosen Applications, and does it. */
export function SelectionDialog({ action, ...props }: SelectionDialogProps) {
  if (action === 'delete') return <DeleteDialog {...props} />
  if (action === 'move') return <MoveDialog {...props} />
  if (action === 'label') return <LabelDialog {...props} />
  return <HydrateDialog {...props} isHard={action === 'hydrate hard'} />
}
