import { Autocomplete, Text } from '@mantine/core'
import { createClient } from '@connectrpc/connect'
import { useQuery, useTransport } from '@connectrpc/connect-query'
import { ApplicationService } from '@wadi/protocol/gen/wadi/api_gateway/v1/application_service_pb.ts'
import { useState } from 'react'
import { CallsDialog } from './calls-dialog.tsx'
import { branchChangeText } from './branch-changes.ts'
import type { Selection } from './use-selection.ts'
import { t } from '../../../language/t.ts'

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
      titleOf={(count) =>
        t(
          '{count, plural, one {Move # Application to another branch} other {Move # Applications to another branch}}',
          { count },
        )
      }
      button={t('Move')}
      doneText={(count) =>
        t('{count, plural, one {# Application moved} other {# Applications moved}}', { count })
      }
      isReady={isTyped}
      isTyped={isTyped}
      call={({ namespace, name, version }) => moveApplication({ namespace, name, version, ...branches })}
      textOf={(row) => branchChangeText(row, branches)}
      close={close}
    >
      <Autocomplete
        label={t('Branch that is deployed')}
        description={t('Empty to keep it')}
        data={data}
        value={syncBranch}
        onChange={setSyncBranch}
      />
      <Autocomplete
        label={t('Staging branch')}
        description={t('Empty to keep it')}
        data={data}
        value={hydrateToBranch}
        onChange={setHydrateToBranch}
      />
      <Text size="sm">
        {t(
          'The Applications are hydrated to their new branches soon. Their files stay on the branches that they leave, unless the installation prunes them.',
        )}{' '}
        {isOwned && t('An ApplicationSet moves those that it generates back.')}
      </Text>
    </CallsDialog>
  )
}
