import { Text } from '@mantine/core'
import { createClient } from '@connectrpc/connect'
import { useTransport } from '@connectrpc/connect-query'
import { ApplicationService } from '@wadi/protocol/gen/wadi/api_gateway/v1/application_service_pb.ts'
import { CallsDialog } from './calls-dialog.tsx'
import type { Selection } from './use-selection.ts'
import { t } from '../../../language/t.ts'

interface HydrateDialogProps {
  selection: Selection
  isHard: boolean
  close: () => void
}

/** Asks for a hydration of the chosen Applications now. */
export function HydrateDialog({ selection, isHard, close }: HydrateDialogProps) {
  const { hydrateApplication } = createClient(ApplicationService, useTransport())
  return (
    <CallsDialog
      selection={selection}
      titleOf={(count) =>
        isHard
          ? t('{count, plural, one {Hydrate # Application hard?} other {Hydrate # Applications hard?}}', {
              count,
            })
          : t('{count, plural, one {Hydrate # Application?} other {Hydrate # Applications?}}', { count })
      }
      button={isHard ? t('Hydrate hard') : t('Hydrate')}
      doneText={(count) =>
        t('{count, plural, one {# Application requested} other {# Applications requested}}', { count })
      }
      call={({ namespace, name }) => hydrateApplication({ namespace, name, hard: isHard })}
      textOf={({ hydrateToBranch, syncBranch }) => hydrateToBranch || syncBranch}
      close={close}
    >
      <Text size="sm">
        {isHard
          ? t('Every Application of their branches is rendered again, and the whole branches are compared.')
          : t('Each branch is hydrated as soon as it is free.')}
      </Text>
    </CallsDialog>
  )
}
