import { Alert, Box, Button, Group, Input, Stack } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import type { JsonObject } from '@bufbuild/protobuf'
import { createConnectQueryKey, useMutation } from '@connectrpc/connect-query'
import { AlertIcon } from '@primer/octicons-react/AlertIcon'
import { useQueryClient } from '@tanstack/react-query'
import { InvalidInputError } from '@wadi/errors/domain-error.ts'
import { ApplicationSetService } from '@wadi/protocol/gen/wadi/application_sets/v1/application_sets_pb.ts'
import { ErrorState } from '../../components/error-state.tsx'
import { PageButton } from '../../components/links.tsx'
import { YamlEditor } from '../../components/yaml-editor.tsx'
import { YamlText } from '../../components/yaml-text.tsx'
import { changeCounts } from './application-set.ts'
import { NewSetRefused } from './new-set-refused.tsx'
import { SetPlan } from './set-plan.tsx'
import { setText, typedSet } from './set-text.ts'
import { useSetDraft } from './use-set-draft.ts'

const { applyApplicationSet, getApplicationSet } = ApplicationSetService.method

/** The text of a set, which is previewed before it is applied; to read for who may not change it. */
export function SetEditor({ set, mayEdit }: { set: JsonObject; mayEdit: boolean }) {
  const stored = setText(set)
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
  const { draft, preview, apply, type, startOver } = useSetChange(stored, created)
  const upsert = created === undefined
  const { value, error } = readText(draft.text)
  const failed = apply.error ?? preview.error
  return (
    <Stack>
      <Input.Wrapper
        labelElement="div"
        label="ApplicationSet"
        description="Preview shows what a change would do before anything is stored."
        error={error}
      >
        <Box mt={6}>
          <YamlEditor key={draft.round} initial={draft.base} onChange={type} label="ApplicationSet" />
        </Box>
      </Input.Wrapper>
      {draft.isOutdated && <Outdated startOver={startOver} />}
      {failed && upsert && <ErrorState title="The change is refused" error={failed} />}
      {failed && !upsert && <NewSetRefused set={value} error={failed} />}
      {preview.data && <SetPlan plan={preview.data} />}
      <Group>
        <Button
          variant="default"
          loading={preview.isPending}
          disabled={value === undefined}
          onClick={() => preview.mutate({ applicationSet: value, upsert, dryRun: true })}
        >
          Preview
        </Button>
        <Button
          loading={apply.isPending}
          disabled={preview.data === undefined || draft.isOutdated}
          onClick={() => apply.mutate({ applicationSet: value, upsert })}
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

/** The draft of a change, its dry run and its application; what is typed takes the dry run back. */
function useSetChange(stored: string, created: SetFormProps['created']) {
  const cache = useQueryClient()
  const draft = useSetDraft(stored)
  const preview = useMutation(applyApplicationSet)
  const apply = useMutation(applyApplicationSet, {
    onSuccess: ({ applicationSet = {}, withheld, changes }) => {
      const message = withheld || `Applied: ${changeCounts(changes.map(({ action }) => action))}`
      notifications.show({ message, autoClose: withheld === '' })
      if (created) {
        created(applicationSet)
        return
      }
      draft.begin(setText(applicationSet))
      preview.reset()
      void cache.invalidateQueries({
        queryKey: createConnectQueryKey({ schema: getApplicationSet, cardinality: 'finite' }),
      })
    },
  })
  const type = (text: string) => {
    draft.type(text)
    preview.reset()
    apply.reset()
  }
  const startOver = () => {
    draft.begin(stored)
    preview.reset()
  }
  return { draft, preview, apply, type, startOver }
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

function readText(text: string): { value?: JsonObject; error?: string } {
  try {
    return { value: typedSet(text) }
  } catch (error) {
    if (error instanceof InvalidInputError && error.at?.line !== undefined)
      return { error: `Line ${error.at.line}: ${error.reason}` }
    return { error: error instanceof Error ? error.message : String(error) }
  }
}
