import { Text } from '@mantine/core'
import { createClient } from '@connectrpc/connect'
import { useTransport } from '@connectrpc/connect-query'
import { ApplicationService } from '@wadi/protocol/gen/wadi/api_gateway/v1/application_service_pb.ts'
import type { ApplicationSummary } from '@wadi/protocol/gen/wadi/api_gateway/v1/application_summaries_pb.ts'
import { counted } from '../../../words/counted.ts'
import { CallsDialog } from './calls-dialog.tsx'
import type { Selection } from './use-selection.ts'

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
      titleOf={(count) => `Delete ${counted(count, 'Application')}?`}
      button="Delete"
      color="red"
      done="deleted"
      call={({ namespace, name, version }) => deleteApplication({ namespace, name, version })}
      textOf={deletionText}
      close={close}
    >
      <Text size="sm">
        The Applications are removed. Their hydrated files stay on the branches, unless the installation
        prunes them. One that somebody else changes meanwhile stays.
      </Text>
    </CallsDialog>
  )
}

function deletionText({ hydrateToBranch, syncBranch, syncPath, applicationSet }: ApplicationSummary): string {
  const place = [hydrateToBranch || syncBranch, syncPath].filter((part) => part !== '').join(', ')
  if (applicationSet === '') return place
  return [place, `ApplicationSet ${applicationSet} makes it again`].filter((part) => part !== '').join('; ')
}
