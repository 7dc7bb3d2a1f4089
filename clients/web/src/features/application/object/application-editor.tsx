import { Button, Group, Stack } from '@mantine/core'
import type { JsonObject } from '@bufbuild/protobuf'
import { useDisclosure } from '@mantine/hooks'
import { UnsavedText } from '../../../components/dialog.tsx'
import { DraftOutdated } from '../../../components/draft-outdated.tsx'
import { YamlField } from '../../../components/yaml-field.tsx'
import { objectText, readTyped } from '../../../words/object-text.ts'
import { useTextDraft } from '../../../components/use-text-draft.ts'
import { ChangeDialog } from './change-dialog.tsx'
import { changedApplication, editedApplication, nameError } from '../../../words/edited-application.ts'
import { t } from '../../../language/t.ts'

/** Edits an Application as YAML; what is written is reviewed before, and is a change of what the author saw. */
export function ApplicationEditor({ stored }: { stored: JsonObject }) {
  const storedText = objectText(editedApplication(stored))
  const draft = useTextDraft(storedText)
  const [isReviewed, { open, close }] = useDisclosure()
  const { value, error = value && nameError(value, stored) } = readTyped(draft.text, 'Application')
  return (
    <Stack>
      {draft.text !== draft.base && <UnsavedText />}
      <YamlField
        kind="Application"
        key={draft.round}
        initial={draft.base}
        onChange={draft.type}
        label={t('Application')}
        description={t('Review shows the change before it is stored.')}
        error={error}
      />
      {draft.isOutdated && (
        <DraftOutdated
          what={t('Application')}
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
          {t('Review')}
        </Button>
        {draft.text !== draft.base && (
          <Button variant="default" onClick={() => draft.begin(storedText)}>
            {t('Discard')}
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
