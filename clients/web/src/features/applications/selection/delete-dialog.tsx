import { Text } from '@mantine/core'
import { createClient } from '@connectrpc/connect'
import { useTransport } from '@connectrpc/connect-query'
import { ApplicationService } from '@wadi/protocol/gen/wadi/api_gateway/v1/application_service_pb.ts'
import type { ApplicationSummary } from '@wadi/protocol/gen/wadi/api_gateway/v1/application_summaries_pb.ts'
import { CallsDialog } from './calls-dialog.tsx'
import type { Selection } from './use-selection.ts'
import { t } from '../../../language/t.ts'

interface DeleteDialogProps {
  selection: Selection
  close: () => void
}

/** Deletes the chosen Applications, each in the version that the dialog shows. */
export function DeleteDialog({ selection, close }: DeleteDialogProps) {
  const { deleteApplication } = createClient(ApplicationService, useTransport())
  return (
    <CallsDialog
      selection={selection}
      titleOf={(count) =>
        t('{count, plural, one {Delete # Application?} other {Delete # Applications?}}', { count })
      }
      button={t('Delete')}
      color="red"
      doneText={(count) =>
        t('{count, plural, one {# Application deleted} other {# Applications deleted}}', { count })
      }
      call={({ namespace, name, version }) => deleteApplication({ namespace, name, version })}
      textOf={deletionText}
      close={close}
    >
      <Text size="sm">
        {t(
          'The Applications are removed. Their hydrated files stay on the branches, unless the installation prunes them. One that somebody else changes meanwhile stays.',
        )}
      </Text>
    </CallsDialog>
  )
}

function deletionText({ hydrateToBranch, syncBranch, syncPath, applicationSet }: ApplicationSummary): string {
  const place = [hydrateToBranch || syncBranch, syncPath].filter((part) => part !== '').join(', ')
  if (applicationSet === '') return place
  return [place, t('ApplicationSet {name} makes it again', { name: applicationSet })]
    .filter((part) => part !== '')
    .join('; ')
}
