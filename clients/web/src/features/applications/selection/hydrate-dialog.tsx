import { Text } from '@mantine/core'
import { createClient } from '@connectrpc/connect'
import { useTransport } from '@connectrpc/connect-query'
import { ApplicationService } from '@wadi/protocol/gen/wadi/api_gateway/v1/application_service_pb.ts'
import { counted } from '../../../words/counted.ts'
import { CallsDialog } from './calls-dialog.tsx'
import type { Selection } from './use-selection.ts'

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
      titleOf={(count) => `Hydrate ${counted(count, 'Application')}${isHard ? ' hard' : ''}?`}
      button={isHard ? 'Hydrate hard' : 'Hydrate'}
      done="requested"
      call={({ namespace, name }) => hydrateApplication({ namespace, name, hard: isHard })}
      textOf={({ hydrateToBranch, syncBranch }) => hydrateToBranch || syncBranch}
      close={close}
    >
      <Text size="sm">
        {isHard
          ? 'Every Application of their branches is rendered again, and the whole branches are compared.'
          : 'Each branch is hydrated as soon as it is free.'}
      </Text>
    </CallsDialog>
  )
}
