import { Affix, Box, Button, Group, Paper, Text } from '@mantine/core'
import { Suspense, useState } from 'react'
import { type SelectionAction, SelectionActions } from './selection-actions.tsx'
import type { Selection } from './use-selection.ts'
import { lazyPart } from '../../../components/lazy-part.ts'
import { t } from '../../../language/t.ts'

const Dialog = lazyPart(async () => (await import('./selection-dialog.tsx')).SelectionDialog)

/** Stays at the foot of the window while Applications are chosen, with what the caller may do to them. */
export function SelectionBar({ selection }: { selection: Selection }) {
  const { rows, choose } = selection
  const [action, setAction] = useState<SelectionAction>()
  return (
    <>
      {/* The last rows can be scrolled above the bar. */}
      {rows.size > 0 && <Box h={96} />}
      {rows.size > 0 && (
        <Affix position={{ bottom: 16, right: 16, left: 16 }} style={{ pointerEvents: 'none' }}>
          <Paper
            withBorder
            shadow="md"
            p="sm"
            ml="auto"
            w="fit-content"
            role="region"
            aria-label={t('Selected Applications')}
            style={{ pointerEvents: 'auto' }}
          >
            <Group gap="xs" justify="flex-end">
              <Text size="sm" role="status">
                {t('{count, number} selected', { count: rows.size })}
              </Text>
              <SelectionActions rows={rows} begin={setAction} />
              <Button
                size="xs"
                variant="subtle"
                aria-label={t('Clear the selection')}
                onClick={() => choose([])}
              >
                {t('Clear')}
              </Button>
            </Group>
          </Paper>
        </Affix>
      )}
      {action && (
        <Suspense>
          <Dialog action={action} selection={selection} close={() => setAction(undefined)} />
        </Suspense>
      )}
    </>
  )
}
