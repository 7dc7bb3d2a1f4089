import { Text } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import type { JsonObject } from '@bufbuild/protobuf'
import { useMutation, useQuery } from '@connectrpc/connect-query'
import { textAt } from '@wadi/fields/json-fields.ts'
import { ProjectService } from '@wadi/protocol/gen/wadi/api_gateway/v1/project_service_pb.ts'
import { ApplicationSetService } from '@wadi/protocol/gen/wadi/application_sets/v1/application_sets_pb.ts'
import { AffectedNames, DeleteQuestion } from '../../../components/delete-question.tsx'
import { ErrorState } from '../../../components/error-state.tsx'
import { Loading } from '../../../components/loading.tsx'
import { editedProject, nameOf } from './project-object.ts'
import { t } from '../../../language/t.ts'

interface DeleteProjectDialogProps {
  project: JsonObject
  refetch: () => unknown
  close: () => void
}

/** Says what hangs on a project, asks, and deletes the version that was seen. */
export function DeleteProjectDialog({ project, refetch, close }: DeleteProjectDialogProps) {
  const name = nameOf(project)
  const fresh = { gcTime: 0, staleTime: 0, retry: false }
  const use = useQuery(ProjectService.method.previewProject, { project: editedProject(project) }, fresh)
  const sets = useQuery(ApplicationSetService.method.listApplicationSets, { projects: [name] }, fresh)
  const remove = useMutation(ProjectService.method.deleteProject, {
    onSuccess: () => {
      notifications.show({ message: t('Project {name} is deleted.', { name }) })
      void refetch()
      close()
    },
    onError: () => {
      void refetch()
      void use.refetch()
    },
  })
  const { applications = [], hidden = 0 } = use.data ?? {}
  const members = applications.length + hidden
  const setNames = sets.data?.applicationSets.map((set) => textAt(set, 'metadata', 'name')) ?? []
  const resourceVersion = textAt(project, 'metadata', 'resourceVersion')
  return (
    <DeleteQuestion
      what={name}
      deletion={remove}
      remove={() => remove.mutate({ name, resourceVersion })}
      close={close}
      isReviewed={use.isSuccess && !use.isFetching && members === 0 && sets.isSuccess && !sets.isFetching}
    >
      {use.isPending && <Loading />}
      {use.isError && (
        <ErrorState
          title={t('Its Applications cannot be listed')}
          error={use.error}
          retry={() => void use.refetch()}
        />
      )}
      {sets.isError && (
        <ErrorState
          title={t('Its ApplicationSets cannot be listed')}
          error={sets.error}
          retry={() => void sets.refetch()}
        />
      )}
      {use.isSuccess && <Text size="sm">{membersText(members)}</Text>}
      <AffectedNames title={t('These Applications belong to it:')} names={applications} />
      <AffectedNames
        title={t('These ApplicationSets name it, and could make nothing without it:')}
        names={setNames}
      />
    </DeleteQuestion>
  )
}

function membersText(count: number): string {
  if (count === 0) return t('No Application belongs to it. Its roles and their tokens go with it.')
  return t(
    '{count, plural, one {# Application belongs to it; move or delete it first.} other {# Applications belong to it; move or delete them first.}}',
    { count },
  )
}
