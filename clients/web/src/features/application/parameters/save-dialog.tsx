import { Code, type ConnectError } from '@connectrpc/connect'
import { createConnectQueryKey, useMutation, useQuery } from '@connectrpc/connect-query'
import { useQueryClient } from '@tanstack/react-query'
import { ApplicationService } from '@wadi/protocol/gen/wadi/api_gateway/v1/application_service_pb.ts'
import { ErrorState } from '../../../components/error-state.tsx'
import { Loading } from '../../../components/loading.tsx'
import type { SourceName } from '../application-name.ts'
import { CommitDialog } from '../dry-commit/commit-dialog.tsx'
import { Effect } from './effect.tsx'
import { changesOf, type ParameterEdits } from './parameter-edits.ts'
import { t } from '../../../language/t.ts'

const { getParameters, previewParameters, setParameters } = ApplicationService.method

interface SaveDialogProps {
  name: SourceName
  edits: ParameterEdits
  close: () => void
  saved: () => void
}

/** Shows the files that a save would write, asks where to, and commits it to the dry branch or to a new one. */
export function SaveDialog({ name, edits, close, saved }: SaveDialogProps) {
  const changes = changesOf(edits)
  const { preview, save } = useReviewedSave(name, changes)
  const isDoubtful = preview.data?.file !== undefined && preview.data.file.problems.length > 0
  const end = () => {
    if (save.isSuccess) saved()
    close()
  }
  const reviewedSha = preview.data?.editedSha ?? ''
  return (
    <CommitDialog
      title={t('Save parameters')}
      placeholder={t('Names the Application and the parameters')}
      commit={save}
      submit={(values) => save.mutate({ ...name, changes, ...values, reviewedSha, force: isDoubtful })}
      submitLabel={isDoubtful ? t('Save all the same') : t('Save')}
      isReviewed={preview.isSuccess && !preview.isFetching}
      failure={save.isError && <NothingSaved error={save.error} />}
      close={end}
    >
      {preview.isPending && <Loading />}
      {preview.isError && (
        <ErrorState
          title={t('The change cannot be made')}
          error={preview.error}
          retry={() => void preview.refetch()}
        />
      )}
      {preview.data && <Effect preview={preview.data} />}
    </CommitDialog>
  )
}

/** Previews a change and saves it; when somebody else was faster, it is previewed again. */
function useReviewedSave(name: SourceName, changes: ReturnType<typeof changesOf>) {
  const cache = useQueryClient()
  const preview = useQuery(previewParameters, { ...name, changes }, { gcTime: 0 })
  const save = useMutation(setParameters, {
    onSuccess: async () => {
      const queryKey = createConnectQueryKey({ schema: getParameters, input: name, cardinality: 'finite' })
      await cache.invalidateQueries({ queryKey })
    },
    onError: (error) => (isOutdated(error) ? preview.refetch() : undefined),
  })
  return { preview, save }
}

/** A save is of what was reviewed: when that has changed, the dialog shows what it would be now, with everything that was typed. */
function NothingSaved({ error }: { error: ConnectError }) {
  if (!isOutdated(error)) return <ErrorState title={t('Not saved')} error={error} />
  return (
    <ErrorState
      title={t('Not saved: the files changed meanwhile. Above is the effect of a save now')}
      error={error}
    />
  )
}

function isOutdated(error: ConnectError): boolean {
  return error.code === Code.Aborted
}
