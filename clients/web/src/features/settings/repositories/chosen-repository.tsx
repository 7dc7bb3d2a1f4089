import { Alert, Button, Text } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useMutation, useQuery } from '@connectrpc/connect-query'
import { RepositoryService } from '@wadi/protocol/gen/wadi/api_gateway/v1/repository_service_pb.ts'
import type { Repository } from '@wadi/protocol/gen/wadi/repositories/v1/repositories_pb.ts'
import { AlertIcon } from '@primer/octicons-react/AlertIcon'
import { useState } from 'react'
import { AffectedNames, DeleteQuestion } from '../../../components/delete-question.tsx'
import { ErrorState } from '../../../components/error-state.tsx'
import { Loading } from '../../../components/loading.tsx'
import { type AllowedProjects, storedRepository } from './new-repository.ts'
import { RepositoryDialog } from './repository-dialog.tsx'
import type { RepositoryAction } from './repository-menu.tsx'
import { t } from '../../../language/t.ts'

interface ChosenRepositoryProps {
  /** The credentials as they were chosen. */
  repository: Repository
  /** The credentials as they are listed now; undefined if somebody has deleted them. */
  listed: Repository | undefined
  write: boolean
  action: RepositoryAction
  allowed: AllowedProjects
  refetch: () => unknown
  close: () => void
}

/** The dialog of what is done to stored credentials; it stays when the list is drawn in another way, or no longer has them. */
export function ChosenRepository({
  repository,
  listed,
  write,
  action,
  allowed,
  refetch,
  close,
}: ChosenRepositoryProps) {
  // The version that the author saw; a list that is read again does not move it.
  const [seen, see] = useState(repository)
  const stored = () => void refetch()
  const like = storedRepository(seen, write)
  if (action === 'copy')
    return <RepositoryDialog allowed={allowed} like={like} stored={stored} close={close} />
  if (action === 'delete')
    return <DeleteRepositoryDialog repository={seen} write={write} refetch={refetch} close={close} />
  const projects = { read: [seen.project], write: [seen.project] }
  return (
    <RepositoryDialog allowed={projects} like={like} replaced={seen} stored={stored} close={close}>
      <Text size="sm">
        {t(
          'What is stored beside the credentials, such as a proxy or a forge, stays. The server never shows a secret: enter it again.',
        )}
      </Text>
      <ServedApplications repository={seen} write={write} title={t('They serve these Applications:')} />
      {listed && listed.version !== seen.version && <Outdated keep={() => see(listed)} />}
    </RepositoryDialog>
  )
}

/** Says that somebody else was faster; what was typed stays. */
function Outdated({ keep }: { keep: () => void }) {
  return (
    <Alert
      color="orange"
      icon={<AlertIcon />}
      role="alert"
      title={t('Somebody else has changed these credentials since you began')}
    >
      <Button variant="default" size="xs" onClick={keep}>
        {t('Keep what I typed, which replaces those')}
      </Button>
    </Alert>
  )
}

type Served = Pick<ChosenRepositoryProps, 'repository' | 'write'>

function useUse({ repository: { repoUrl, project, isPrefix }, write }: Served) {
  const fresh = { gcTime: 0, staleTime: 0, retry: false }
  return useQuery(RepositoryService.method.getRepositoryUse, { repoUrl, project, write, isPrefix }, fresh)
}

/** Names the Applications that credentials serve. */
function ServedApplications({ title, ...served }: Served & { title: string }) {
  const use = useUse(served)
  if (use.isPending) return <Loading />
  if (use.isError)
    return (
      <ErrorState
        title={t('Who uses them cannot be said')}
        error={use.error}
        retry={() => void use.refetch()}
      />
    )
  const { applications, hidden } = use.data
  if (applications.length + hidden === 0) return <Text size="sm">{t('They serve no Application.')}</Text>
  return (
    <>
      <AffectedNames title={title} names={applications} />
      {hidden > 0 && (
        <Text size="sm">
          {t(
            '{count, plural, one {# Application that you may not see uses them, too.} other {# Applications that you may not see use them, too.}}',
            { count: hidden },
          )}
        </Text>
      )}
    </>
  )
}

type DeleteDialogProps = Served & Pick<ChosenRepositoryProps, 'refetch' | 'close'>

/** Names the Applications that credentials serve, asks, and deletes the version that was seen, if they serve no others. */
function DeleteRepositoryDialog({ repository, write, refetch, close }: DeleteDialogProps) {
  const use = useUse({ repository, write })
  const { repoUrl, project, version, isPrefix } = repository
  const remove = useMutation(RepositoryService.method.deleteRepository, {
    onSuccess: () => {
      notifications.show({ message: t('The credentials are deleted.') })
      void refetch()
      close()
    },
    onError: () => {
      void refetch()
      void use.refetch()
    },
  })
  const reviewedApplications = use.data?.applications ?? []
  const question = { repoUrl, project, write, version, isPrefix, reviewedApplications, isReviewed: true }
  return (
    <DeleteQuestion
      what={t('the credentials of {repository}', { repository: repoUrl })}
      deletion={remove}
      remove={() => remove.mutate(question)}
      close={close}
      isReviewed={use.isSuccess && !use.isFetching}
    >
      <ServedApplications
        repository={repository}
        write={write}
        title={
          write
            ? t(
                'Without them, the manifests of these Applications cannot be pushed, unless other credentials apply:',
              )
            : t(
                'Without them, these Applications cannot be read, unless other credentials apply or the repository is public:',
              )
        }
      />
    </DeleteQuestion>
  )
}
