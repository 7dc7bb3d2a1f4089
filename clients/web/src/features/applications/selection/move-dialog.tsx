import { Autocomplete, Text } from '@mantine/core'
import { createClient } from '@connectrpc/connect'
import { useQuery, useTransport } from '@connectrpc/connect-query'
import { ApplicationService } from '@wadi/protocol/gen/wadi/api_gateway/v1/application_service_pb.ts'
import { useState } from 'react'
import { counted } from '../../../words/counted.ts'
import { CallsDialog } from './calls-dialog.tsx'
import { branchChangeText } from './branch-changes.ts'
import type { Selection } from './use-selection.ts'

interface MoveDialogProps {
  selection: Selection
  close: () => void
}

/** Moves the chosen Applications to other branches, each in the version that the dialog shows. */
export function MoveDialog({ selection, close }: MoveDialogProps) {
  const { moveApplication } = createClient(ApplicationService, useTransport())
  const choices = useQuery(ApplicationService.method.listApplicationChoices, {})
  const [syncBranch, setSyncBranch] = useState('')
  const [hydrateToBranch, setHydrateToBranch] = useState('')
  const branches = { syncBranch: syncBranch.trim(), hydrateToBranch: hydrateToBranch.trim() }
  const isTyped = branches.syncBranch !== '' || branches.hydrateToBranch !== ''
  const rows = [...selection.rows.values()]
  const isOwned = rows.some(({ applicationSet }) => applicationSet !== '')
  const data = choices.data?.branches ?? []
  return (
    <CallsDialog
      selection={selection}
      titleOf={(count) => `Move ${counted(count, 'Application')} to another branch`}
      button="Move"
      done="moved"
      isReady={isTyped}
      isTyped={isTyped}
      call={({ namespace, name, version }) => moveApplication({ namespace, name, version, ...branches })}
      textOf={(row) => branchChangeText(row, branches)}
      close={close}
    >
      <Autocomplete
        label="Branch that is deployed"
        description="Empty to keep it"
        data={data}
        value={syncBranch}
        onChange={setSyncBranch}
      />
      <Autocomplete
        label="Staging branch"
        description="Empty to keep it"
        data={data}
        value={hydrateToBranch}
        onChange={setHydrateToBranch}
      />
      <Text size="sm">
        The Applications are hydrated to their new branches soon. Their files stay on the branches that they
        leave, unless the installation prunes them.
        {isOwned && ' An ApplicationSet moves those that it generates back.'}
      </Text>
    </CallsDialog>
  )
}
