import { notifications } from '@mantine/notifications'
import type { JsonObject } from '@bufbuild/protobuf'
import { useMutation } from '@connectrpc/connect-query'
import { ProjectService } from '@wadi/protocol/gen/wadi/api_gateway/v1/project_service_pb.ts'
import { useTextDraft } from '../../../components/use-text-draft.ts'
import { objectText, readTyped } from '../../../words/object-text.ts'
import { changedProject, editedProject, nameOf } from './project-object.ts'
import { t } from '../../../language/t.ts'

const { createProject, previewProject, updateProject } = ProjectService.method

export interface ProjectChangeOptions {
  /** The stored project, or what a new one begins with. */
  project: JsonObject
  isNew: boolean
  /** Reads the list again. */
  refetch: () => unknown
  close: () => void
}

/** The draft of a project, its review and its storing; a review is of the text and the version that it was asked for. */
export function useProjectChange({ project, isNew, refetch, close }: ProjectChangeOptions) {
  const storedText = objectText(editedProject(project))
  const draft = useTextDraft(storedText)
  const { value, error = nameError(value, project, isNew) } = readTyped(draft.text, 'AppProject')
  const review = useMutation(previewProject)
  const onSuccess = () => {
    notifications.show({ message: t('The project is stored.') })
    void refetch()
    close()
  }
  const create = useMutation(createProject, { onSuccess })
  const update = useMutation(updateProject, { onSuccess, onError: () => void refetch() })
  const save = isNew ? create : update
  const withoutReview =
    <Values extends unknown[]>(change: (...values: Values) => void) =>
    (...values: Values) => {
      change(...values)
      review.reset()
      save.reset()
    }
  const store = () => {
    if (value && isNew) create.mutate({ project: value })
    else if (value) update.mutate({ project: changedProject(value, project) })
  }
  return {
    storedText,
    draft,
    value,
    error,
    review,
    save,
    type: withoutReview(draft.type),
    keep: withoutReview(draft.keep),
    startOver: withoutReview(() => draft.begin(storedText)),
    store,
  }
}

export type ProjectChange = ReturnType<typeof useProjectChange>

function nameError(typed: JsonObject | undefined, project: JsonObject, isNew: boolean): string {
  if (typed === undefined || isNew || nameOf(typed) === nameOf(project)) return ''
  return t('The name of a project cannot be changed; copy it instead')
}
