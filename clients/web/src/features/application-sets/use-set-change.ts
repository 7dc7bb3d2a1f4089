import { notifications } from '@mantine/notifications'
import type { JsonObject } from '@bufbuild/protobuf'
import { Code, type ConnectError } from '@connectrpc/connect'
import { createConnectQueryKey, useMutation } from '@connectrpc/connect-query'
import { useQueryClient } from '@tanstack/react-query'
import { ApplicationSetService } from '@wadi/protocol/gen/wadi/application_sets/v1/application_sets_pb.ts'
import { objectText } from '../../words/object-text.ts'
import { useTextDraft } from '../../components/use-text-draft.ts'
import { changeCounts } from './application-set.ts'
import { t } from '../../language/t.ts'

const { applyApplicationSet, getApplicationSet } = ApplicationSetService.method

/** The set that a draft changes. */
export interface StoredSet {
  text: string
  /** Empty for a new one. */
  version: string
}

/**
 * The draft of a change, its dry run and its application, which is of what the dry run showed: when that has changed, it is shown again.
 * Both are of the set that the author saw. Typing takes the dry run back.
 */
export function useSetChange({ text: stored, version }: StoredSet, created?: (set: JsonObject) => void) {
  const cache = useQueryClient()
  const draft = useTextDraft(stored)
  const readAgain = () =>
    cache.invalidateQueries({
      queryKey: createConnectQueryKey({ schema: getApplicationSet, cardinality: 'finite' }),
    })
  const preview = useMutation(applyApplicationSet, {
    onError: ({ code }) => (code === Code.Aborted ? readAgain() : undefined),
  })
  const apply = useMutation(applyApplicationSet, {
    onSuccess: ({ applicationSet = {}, withheld, changes }) => {
      const message =
        withheld || t('Applied: {changes}', { changes: changeCounts(changes.map(({ action }) => action)) })
      notifications.show({ message, autoClose: withheld === '' })
      if (created) {
        created(applicationSet)
        return
      }
      draft.begin(objectText(applicationSet))
      preview.reset()
      void readAgain()
    },
  })
  const upsert = created === undefined
  const tryOut = (applicationSet: JsonObject | undefined) =>
    preview.mutate({ applicationSet, upsert, version, dryRun: true })
  const store = (applicationSet: JsonObject | undefined) => {
    const reviewedPlan = preview.data?.plan ?? ''
    const onError = (error: ConnectError) => error.code === Code.Aborted && tryOut(applicationSet)
    apply.mutate({ applicationSet, upsert, version, reviewedPlan }, { onError })
  }
  const type = (text: string) => {
    draft.type(text)
    preview.reset()
    apply.reset()
  }
  const startOver = () => {
    draft.begin(stored)
    preview.reset()
    apply.reset()
  }
  const keep = () => {
    draft.keep()
    preview.reset()
    apply.reset()
  }
  return { draft, preview, apply, tryOut, store, type, keep, startOver }
}
