import { notifications } from '@mantine/notifications'
import type { JsonObject } from '@bufbuild/protobuf'
import { Code, type ConnectError } from '@connectrpc/connect'
import { createConnectQueryKey, useMutation } from '@connectrpc/connect-query'
import { useQueryClient } from '@tanstack/react-query'
import { ApplicationSetService } from '@wadi/protocol/gen/wadi/application_sets/v1/application_sets_pb.ts'
import { objectText } from '../../words/object-text.ts'
import { useTextDraft } from '../../components/use-text-draft.ts'
import { changeCounts } from './application-set.ts'

const { applyApplicationSet, getApplicationSet } = ApplicationSetService.method

/**
 * The draft of a change, its dry run and its application, which is of what the dry run showed: when that has changed, it is shown again.
 * Typing takes the dry run back.
 */
export function useSetChange(stored: string, created?: (set: JsonObject) => void) {
  const cache = useQueryClient()
  const draft = useTextDraft(stored)
  const preview = useMutation(applyApplicationSet)
  const apply = useMutation(applyApplicationSet, {
    onSuccess: ({ applicationSet = {}, withheld, changes }) => {
      const message = withheld || `Applied: ${changeCounts(changes.map(({ action }) => action))}`
      notifications.show({ message, autoClose: withheld === '' })
      if (created) {
        created(applicationSet)
        return
      }
      draft.begin(objectText(applicationSet))
      preview.reset()
      void cache.invalidateQueries({
        queryKey: createConnectQueryKey({ schema: getApplicationSet, cardinality: 'finite' }),
      })
    },
  })
  const upsert = created === undefined
  const tryOut = (applicationSet: JsonObject | undefined) =>
    preview.mutate({ applicationSet, upsert, dryRun: true })
  const store = (applicationSet: JsonObject | undefined) => {
    const reviewedPlan = preview.data?.plan ?? ''
    const onError = (error: ConnectError) => error.code === Code.Aborted && tryOut(applicationSet)
    apply.mutate({ applicationSet, upsert, reviewedPlan }, { onError })
  }
  const type = (text: string) => {
    draft.type(text)
    preview.reset()
    apply.reset()
  }
  const startOver = () => {
    draft.begin(stored)
    preview.reset()
  }
  return { draft, preview, apply, tryOut, store, type, startOver }
}
