import { Alert, Button, Group, Stack } from '@mantine/core'
import type { JsonObject } from '@bufbuild/protobuf'
import { AlertIcon } from '@primer/octicons-react/AlertIcon'
import { useDisclosure } from '@mantine/hooks'
import { TextDiff } from '../../../components/text-diff.tsx'
import { YamlField } from '../../../components/yaml-field.tsx'
import { objectText, readTyped } from '../../../words/object-text.ts'
import { useTextDraft } from '../../../components/use-text-draft.ts'
import { ChangeDialog } from './change-dialog.tsx'
import { changedApplication, editedApplication, nameError } from '../../../words/edited-application.ts'

/** Edits an Application as YAML; what is written is reviewed before, and is a change of what the author saw. */
export function ApplicationEditor({ stored }: { stored: JsonObject }) {
  const storedText = objectText(editedApplication(stored))
  const draft = useTextDraft(storedText)
  const [isReviewed, { open, close }] = useDisclosure()
  const { value, error = value && nameError(value, stored) } = readTyped(draft.text, 'Application')
  return (
    <Stack>
      <YamlField
        key={draft.round}
        initial={draft.base}
        onChange={draft.type}
        label="Application"
        description="Review shows the change before it is stored."
        error={error}
      />
      {draft.isOutdated && (
        <Outdated
          before={draft.base}
          after={storedText}
          keep={draft.keep}
          startOver={() => draft.begin(storedText)}
        />
      )}
      <Group>
        <Button
          disabled={!value || error !== '' || draft.text === storedText || draft.isOutdated}
          onClick={open}
        >
          Review
        </Button>
        {draft.text !== draft.base && (
          <Button variant="default" onClick={() => draft.begin(storedText)}>
            Discard
          </Button>
        )}
      </Group>
      {isReviewed && value && (
        <ChangeDialog
          change={changedApplication(value, stored)}
          texts={[storedText, objectText(value)]}
          isOutdated={draft.isOutdated}
          stored={(application) => draft.begin(objectText(editedApplication(application)))}
          close={close}
        />
      )}
    </Stack>
  )
}

interface OutdatedProps {
  before: string
  after: string
  keep: () => void
  startOver: () => void
}

/** Shows what somebody else changed while the author typed; nothing that was typed is lost. */
function Outdated({ before, after, keep, startOver }: OutdatedProps) {
  return (
    <Alert
      color="orange"
      icon={<AlertIcon />}
      role="alert"
      title="Somebody else has changed the Application since you began"
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
