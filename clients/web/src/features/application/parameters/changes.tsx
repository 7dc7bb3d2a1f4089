import { Affix, Button, Group, Paper, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { UnsavedText } from '../../../components/dialog.tsx'
import { t } from '../../../language/t.ts'
import type { SourceName } from '../application-name.ts'
import { effectText, LiveEffect } from './live-effect.tsx'
import type { ParameterEdits } from './parameter-edits.ts'
import { SaveDialog } from './save-dialog.tsx'
import { type AskedEdits, type LivePreview, useLivePreview } from './use-live-preview.ts'

interface ChangesProps extends AskedEdits {
  name: SourceName
  clear: () => void
}

/** The effect of a round of edits, and the way to save it; drawn again after each save, so that no round begins with the effect of the one before. */
export function Changes({ name, clear, ...asked }: ChangesProps) {
  const live = useLivePreview(name, asked)
  const { edits, isValid } = asked
  return (
    <>
      <LiveEffect live={live} />
      <SaveBar name={name} edits={edits} live={live} isValid={isValid} clear={clear} />
    </>
  )
}

interface SaveBarProps {
  name: SourceName
  edits: ParameterEdits
  live: LivePreview
  isValid: boolean
  clear: () => void
}

/** Stays at the foot of the window while there is something to save. */
function SaveBar({ name, edits, live, isValid, clear }: SaveBarProps) {
  const [isOpen, { open, close }] = useDisclosure()
  const count = edits.size
  const effect = effectText(live)
  return (
    <>
      <UnsavedText />
      <Affix position={{ bottom: 16, right: 16 }}>
        <Paper withBorder shadow="md" p="sm" role="region" aria-label={t('Changes')}>
          <Group gap="sm">
            <Text size="sm" role="status">
              {[
                t('{count, plural, one {# parameter changed} other {# parameters changed}}', { count }),
                effect,
              ]
                .filter(Boolean)
                .join(': ')}
            </Text>
            <Button variant="default" size="sm" onClick={clear}>
              {t('Discard')}
            </Button>
            <Button size="sm" disabled={!isValid} onClick={open}>
              {t('Review and save')}
            </Button>
          </Group>
        </Paper>
      </Affix>
      {isOpen && <SaveDialog name={name} edits={edits} close={close} saved={clear} />}
    </>
  )
}
