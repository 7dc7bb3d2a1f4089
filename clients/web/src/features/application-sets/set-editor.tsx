import type { JsonObject } from '@bufbuild/protobuf'
import { useQuery } from '@connectrpc/connect-query'
import { Alert, Button, Group, Stack } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { AlertIcon } from '@primer/octicons-react/AlertIcon'
import { textAt } from '@wadi/fields/json-fields.ts'
import { ApplicationSetService } from '@wadi/protocol/gen/wadi/application_sets/v1/application_sets_pb.ts'
import { UnsavedText } from '../../components/dialog.tsx'
import { DraftOutdated } from '../../components/draft-outdated.tsx'
import { ErrorState } from '../../components/error-state.tsx'
import { PageButton, PageLink } from '../../components/links.tsx'
import { YamlField } from '../../components/yaml-field.tsx'
import { YamlText } from '../../components/yaml-text.tsx'
import { t } from '../../language/t.ts'
import { objectText, readTyped } from '../../words/object-text.ts'
import { deletedNames, SetDeletions } from './set-deletions.tsx'
import { SetPlan } from './set-plan.tsx'
import { type StoredSet, useSetChange } from './use-set-change.ts'

interface SetEditorProps {
  set: JsonObject
  version: string
  mayEdit: boolean
}

/** The text of a set, which is previewed before it is applied; to read for who may not change it. */
export function SetEditor({ set, version, mayEdit }: SetEditorProps) {
  const text = objectText(set)
  if (!mayEdit) return <YamlText text={text} label={t('ApplicationSet')} />
  return <SetForm stored={{ text, version }} />
}

interface SetFormProps {
  /** The stored set, or what a new one begins with. */
  stored: StoredSet
  /** Makes it the form of a new set, which must not be there yet; is called with what was stored. */
  created?: (set: JsonObject) => void
}

/** Edits the text of a set, previews what it would do, and stores it. */
export function SetForm({ stored, created }: SetFormProps) {
  const { draft, preview, apply, tryOut, store, type, keep, startOver } = useSetChange(stored, created)
  const [isAsking, { open: ask, close }] = useDisclosure()
  const upsert = created === undefined
  const { value, error } = readTyped(draft.text, 'ApplicationSet')
  const failed = apply.error ?? preview.error
  const deleted = deletedNames(preview.data?.changes ?? [])
  return (
    <Stack>
      {draft.text !== draft.base && <UnsavedText />}
      <YamlField
        kind="ApplicationSet"
        key={draft.round}
        initial={draft.base}
        onChange={type}
        label={t('ApplicationSet')}
        description={t('Preview shows what a change would do before anything is stored.')}
        error={error}
      />
      {draft.isOutdated && (
        <DraftOutdated
          what={t('ApplicationSet')}
          before={draft.base}
          after={stored.text}
          keep={keep}
          startOver={startOver}
        />
      )}
      {failed && upsert && <ErrorState title={t('Change rejected')} error={failed} />}
      {failed && !upsert && <NewSetRejected set={value} error={failed} />}
      {preview.data && <SetPlan plan={preview.data} />}
      {isAsking && <SetDeletions names={deleted} agree={() => store(value)} close={close} />}
      <Group>
        <Button
          variant="default"
          loading={preview.isPending}
          disabled={value === undefined}
          onClick={() => tryOut(value)}
        >
          {t('Preview')}
        </Button>
        <Button
          loading={apply.isPending}
          disabled={preview.data === undefined || draft.isOutdated}
          onClick={() => (deleted.length > 0 ? ask() : store(value))}
        >
          {upsert ? t('Apply') : t('Create')}
        </Button>
        {!upsert && (
          <PageButton to="/application-sets" variant="subtle">
            {t('Cancel')}
          </PageButton>
        )}
      </Group>
    </Stack>
  )
}

/** Shows why a new set is rejected; one whose name is taken leads to the set that has it. */
function NewSetRejected({ set, error }: { set: JsonObject | undefined; error: unknown }) {
  const name = textAt(set, 'metadata', 'name')
  const taken = useQuery(
    ApplicationSetService.method.getApplicationSet,
    { namespace: textAt(set, 'metadata', 'namespace'), name },
    { enabled: name !== '', retry: false },
  )
  const stored = taken.data?.applicationSet
  if (!stored) return <ErrorState title={t('ApplicationSet rejected')} error={error} />
  return (
    <Alert
      color="orange"
      icon={<AlertIcon />}
      role="alert"
      title={t('There is an ApplicationSet {name} already', { name })}
    >
      <Stack align="flex-start" gap="sm">
        {t('Give this one another name, or change the one that is there.')}
        <PageLink
          to="/application-sets/$namespace/$name"
          params={{ namespace: textAt(stored, 'metadata', 'namespace'), name }}
          size="sm"
        >
          {t('Open {name}', { name })}
        </PageLink>
      </Stack>
    </Alert>
  )
}
