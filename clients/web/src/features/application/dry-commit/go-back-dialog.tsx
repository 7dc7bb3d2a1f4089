import { Alert, Stack, Text } from '@mantine/core'
import { Code, type ConnectError } from '@connectrpc/connect'
import { useMutation, useQuery } from '@connectrpc/connect-query'
import type { UseQueryResult } from '@tanstack/react-query'
import {
  ApplicationService,
  type RestoredDryFile,
  type RestoreDrySourceResponse,
} from '@wadi/protocol/gen/wadi/api_gateway/v1/application_service_pb.ts'
import { ErrorState } from '../../../components/error-state.tsx'
import { GivenText } from '../../../components/given-text.tsx'
import { Loading } from '../../../components/loading.tsx'
import { TextDiff } from '../../../components/text-diff.tsx'
import type { ApplicationName } from '../application-name.ts'
import { CommitDialog } from './commit-dialog.tsx'
import { t } from '../../../language/t.ts'

const { restoreDrySource } = ApplicationService.method

interface GoBackDialogProps {
  name: ApplicationName
  /** The dry commit to go back to. */
  drySha: string
  close: () => void
}

/** Shows the files by which a dry source differs from what it was, and commits them as they were; when somebody pushed meanwhile, it shows them again. */
export function GoBackDialog({ name, drySha, close }: GoBackDialogProps) {
  const request = { ...name, drySha }
  const review = useQuery(restoreDrySource, { ...request, dryRun: true }, { gcTime: 0, retry: false })
  const commit = useMutation(restoreDrySource, {
    onError: ({ code }) => (code === Code.Aborted ? review.refetch() : undefined),
  })
  const short = drySha.slice(0, 7)
  // The server writes it, in English.
  const ownMessage = `Go back to ${short}`
  return (
    <CommitDialog
      title={t('Go back to {sha}', { sha: short })}
      placeholder={ownMessage}
      commit={commit}
      submit={(values) => commit.mutate({ ...request, ...values, reviewedSha: review.data?.editedSha ?? '' })}
      submitLabel={t('Commit')}
      isReviewed={review.isSuccess && !review.isFetching && review.data.files.length > 0}
      failure={commit.isError && <NotCommitted error={commit.error} />}
      close={close}
    >
      <Text size="sm">
        {t(
          'A commit makes the files of the dry source what they were at {sha}; files elsewhere in the repository stay. The hydrated branch follows by hydration.',
          { sha: short },
        )}
      </Text>
      <Effect review={review} />
    </CommitDialog>
  )
}

/** The files that a commit would write. */
function Effect({ review }: { review: UseQueryResult<RestoreDrySourceResponse, ConnectError> }) {
  if (review.isPending) return <Loading />
  if (review.isError)
    return (
      <ErrorState
        title={t('There is no way back')}
        error={review.error}
        retry={() => void review.refetch()}
      />
    )
  const { files } = review.data
  if (files.length === 0) return <Alert title={t('The dry source is as it was then')} />
  return files.map((file) => <FileDiff key={file.path} file={file} />)
}

function NotCommitted({ error }: { error: ConnectError }) {
  const title =
    error.code === Code.Aborted
      ? t('Nothing is committed: the files changed meanwhile. Above is the effect of a commit now')
      : t('Nothing is committed')
  return <ErrorState title={title} error={error} />
}

function FileDiff({ file: { path, before, after, hidden } }: { file: RestoredDryFile }) {
  return (
    <Stack gap={4}>
      <Text size="sm" fw={600} style={{ overflowWrap: 'anywhere' }}>
        <GivenText text={path} />
      </Text>
      {hidden ? (
        <Text size="sm" c="dimmed">
          {t('It has a Secret, which you may not read.')}
        </Text>
      ) : (
        <TextDiff
          before={before}
          after={after}
          labels={[t('{name} now', { name: path }), t('{name} then', { name: path })]}
        />
      )}
    </Stack>
  )
}
