import { Alert, Button, Group, Stack } from '@mantine/core'
import { AlertIcon } from '@primer/octicons-react/AlertIcon'
import { TextDiff } from './text-diff.tsx'
import { t } from '../language/t.ts'

interface DraftOutdatedProps {
  /** The kind of object. */
  what: string
  before: string
  after: string
  keep: () => void
  startOver: () => void
}

/** Shows what somebody else changed while the author typed; nothing that was typed is lost. */
export function DraftOutdated({ what, before, after, keep, startOver }: DraftOutdatedProps) {
  return (
    <Alert
      color="orange"
      icon={<AlertIcon />}
      role="alert"
      title={t('Somebody else has changed the {kind} since you began', { kind: what })}
    >
      <Stack gap="sm">
        <TextDiff before={before} after={after} labels={[t('When you began'), t('Stored now')]} />
        <Group>
          <Button variant="default" size="xs" onClick={keep}>
            {t('Keep my text, which replaces that')}
          </Button>
          <Button variant="default" size="xs" onClick={startOver}>
            {t('Start over from the stored one')}
          </Button>
        </Group>
      </Stack>
    </Alert>
  )
}
