import { Alert, Button, Group, Stack } from '@mantine/core'
import { AlertIcon } from '@primer/octicons-react/AlertIcon'
import { TextDiff } from './text-diff.tsx'

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
      title={`Somebody else has changed the ${what} since you began`}
    >
      <Stack gap="sm">
        <TextDiff before={before} after={after} labels={['When you began', 'Stored now']} />
        <Group>
          <Button variant="default" size="xs" onClick={keep}>
            Keep my text, which replaces that
          </Button>
          <Button variant="default" size="xs" onClick={startOver}>
            Start over from the stored one
          </Button>
        </Group>
      </Stack>
    </Alert>
  )
}
