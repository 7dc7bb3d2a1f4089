import { Button, List, Stack, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { Dialog, DialogButtons } from './dialog.tsx'
import { ErrorState } from './error-state.tsx'
import { GivenText } from './given-text.tsx'
import { t } from '../language/t.ts'

interface DeleteQuestionProps {
  /** The name of what is deleted. */
  what: string
  /** The call that deletes it. */
  deletion: { error: Error | null; isPending: boolean }
  remove: () => void
  close: () => void
  /** False until what goes with it is shown. */
  isReviewed?: boolean
  button?: string
  /** Says what goes with it, and what stays. */
  children: ReactNode
}

/** Says what goes with something, asks, and deletes it. */
export function DeleteQuestion({ what, deletion, remove, close, children, ...rest }: DeleteQuestionProps) {
  const { isReviewed = true, button = t('Delete') } = rest
  return (
    <Dialog title={t('Delete {name}?', { name: what })} close={close}>
      <Stack>
        {children}
        {deletion.error && (
          <ErrorState title={t('{name} is not deleted', { name: what })} error={deletion.error} />
        )}
        <DialogButtons isLeaveFirst>
          <Button color="red" loading={deletion.isPending} disabled={!isReviewed} onClick={remove}>
            {button}
          </Button>
        </DialogButtons>
      </Stack>
    </Dialog>
  )
}

/** The number of names that are listed. */
const maxNames = 200

/** The names of what is affected, with a heading; nothing when there are none. */
export function AffectedNames({ title, names }: { title: string; names: readonly string[] }) {
  if (names.length === 0) return null
  return (
    <div>
      <Text size="sm">{title}</Text>
      <List
        size="sm"
        mah={260}
        style={{ overflowY: 'auto', overflowWrap: 'anywhere' }}
        // The list scrolls, also for those who use the keyboard.
        tabIndex={0}
        aria-label={title}
      >
        {names.slice(0, maxNames).map((name) => (
          <List.Item key={name}>
            <GivenText text={name} />
          </List.Item>
        ))}
      </List>
      {names.length > maxNames && (
        <Text size="sm">{t('and {count, number} more', { count: names.length - maxNames })}</Text>
      )}
    </div>
  )
}
