import { useDisclosure } from '@mantine/hooks'
import { Alert, Button, Group, Stack } from '@mantine/core'
import type { JsonObject } from '@bufbuild/protobuf'
import { AlertIcon } from '@primer/octicons-react/AlertIcon'
import { ErrorState } from '../../components/error-state.tsx'
import { PageButton } from '../../components/links.tsx'
import { YamlField } from '../../components/yaml-field.tsx'
import { YamlText } from '../../components/yaml-text.tsx'
import { objectText, readTyped } from '../../words/object-text.ts'
import { NewSetRejected } from './new-set-rejected.tsx'
import { deletedNames, SetDeletions } from './set-deletions.tsx'
import { SetPlan } from './set-plan.tsx'
import { useSetChange } from './use-set-change.ts'

/** The text of a set, which is previewed before it is applied; to read for who may not change it. */
export function SetEditor({ set, mayEdit }: { set: JsonObject; mayEdit: boolean }) {
  const stored = objectText(set)
  if (!mayEdit) return <YamlText text={stored} label="ApplicationSet" />
  return <SetForm stored={stored} />
}

interface SetFormProps {
  /** The text of the stored set, or what a new one begins with. */
  stored: string
  /** Makes it the form of a new set, which must not be there yet; is called with what was stored. */
  created?: (set: JsonObject) => void
}

/** Edits the text of a set, previews what it would do, and stores it. */
export function SetForm({ stored, created }: SetFormProps) {
  const { draft, preview, apply, tryOut, store, type, startOver } = useSetChange(stored, created)
  const [isAsking, { open: ask, close }] = useDisclosure()
  const upsert = created === undefined
  const { value, error } = readTyped(draft.text, 'ApplicationSet')
  const failed = apply.error ?? preview.error
  const deleted = deletedNames(preview.data?.changes ?? [])
  const agree = () => {
    close()
    store(value)
  }
  return (
    <Stack>
      <YamlField
        key={draft.round}
        initial={draft.base}
        onChange={type}
        label="ApplicationSet"
        description="Preview shows what a change would do before anything is stored."
        error={error}
      />
      {draft.isOutdated && <Outdated startOver={startOver} />}
      {failed && upsert && <ErrorState title="Change rejected" error={failed} />}
      {failed && !upsert && <NewSetRejected set={value} error={failed} />}
      {preview.data && <SetPlan plan={preview.data} />}
      {isAsking && <SetDeletions names={deleted} agree={agree} close={close} />}
      <Group>
        <Button
          variant="default"
          loading={preview.isPending}
          disabled={value === undefined}
          onClick={() => tryOut(value)}
        >
          Preview
        </Button>
        <Button
          loading={apply.isPending}
          disabled={preview.data === undefined || draft.isOutdated}
          onClick={() => (deleted.length > 0 ? ask() : store(value))}
        >
          {upsert ? 'Apply' : 'Create'}
        </Button>
        {!upsert && (
          <PageButton to="/application-sets" variant="subtle">
            Cancel
          </PageButton>
        )}
      </Group>
    </Stack>
  )
}

function Outdated({ startOver }: { startOver: () => void }) {
  return (
    <Alert color="orange" icon={<AlertIcon />} title="Somebody else has changed the ApplicationSet">
      <Stack align="flex-start" gap="sm">
        What you typed is made from an older one. Copy what you need, and start over from the one that is
        stored now.
        <Button variant="default" size="xs" onClick={startOver}>
          Start over
        </Button>
      </Stack>
    </Alert>
  )
}
