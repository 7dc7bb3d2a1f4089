import { Button, Stack, Text } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import type { JsonObject } from '@bufbuild/protobuf'
import { createConnectQueryKey, useMutation, useQuery } from '@connectrpc/connect-query'
import { useQueryClient } from '@tanstack/react-query'
import { ApplicationService } from '@wadi/protocol/gen/wadi/api_gateway/v1/application_service_pb.ts'
import { Dialog, DialogButtons } from '../../../components/dialog.tsx'
import { ErrorState } from '../../../components/error-state.tsx'
import { Loading } from '../../../components/loading.tsx'
import { TextDiff } from '../../../components/text-diff.tsx'
import { Warnings } from '../../../components/warnings.tsx'
import { t } from '../../../language/t.ts'

const { applyApplications, getApplication, updateApplication } = ApplicationService.method

interface ChangeDialogProps {
  /** The Application as it shall be, with the version that the author saw. */
  change: JsonObject
  /** Its text before and after. */
  texts: readonly [before: string, after: string]
  /** True if somebody else has changed it meanwhile. */
  isOutdated: boolean
  /** Is called with what was stored. */
  stored: (application: JsonObject) => void
  close: () => void
}

/** Shows a change of an Application and what the server says to it, and stores it. */
export function ChangeDialog({
  change,
  texts: [before, after],
  isOutdated,
  stored,
  close,
}: ChangeDialogProps) {
  const cache = useQueryClient()
  const check = useQuery(
    applyApplications,
    { applications: [change], dryRun: true },
    { gcTime: 0, retry: false },
  )
  const save = useMutation(updateApplication, {
    onSuccess: ({ application = {} }) => {
      notifications.show({ message: t('The Application is stored.') })
      stored(application)
      close()
    },
    onSettled: () =>
      cache.invalidateQueries({
        queryKey: createConnectQueryKey({ schema: getApplication, cardinality: 'finite' }),
      }),
  })
  return (
    <Dialog title={t('Change the Application')} size="xl" close={close}>
      <Stack>
        <TextDiff before={before} after={after} labels={[t('Stored now'), t('As it shall be')]} />
        {check.isPending && <Loading />}
        {check.isError && <ErrorState title={t('The change is rejected')} error={check.error} />}
        <Warnings
          title={t('Warnings')}
          texts={check.data?.results.flatMap(({ warnings }) => warnings) ?? []}
        />
        {isOutdated && <Outdated />}
        {save.isError && <ErrorState title={t('Nothing is stored')} error={save.error} />}
        <DialogButtons>
          <Button
            loading={save.isPending}
            disabled={!check.isSuccess || isOutdated}
            onClick={() => save.mutate({ application: change, validate: true })}
          >
            {t('Store and hydrate')}
          </Button>
        </DialogButtons>
      </Stack>
    </Dialog>
  )
}

function Outdated() {
  return (
    <Text size="sm" role="alert">
      {t(
        'Somebody else has changed the Application meanwhile: nothing is stored. Close this, and see what changed; your text stays.',
      )}
    </Text>
  )
}
