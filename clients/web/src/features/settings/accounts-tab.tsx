import { Button, Group } from '@mantine/core'
import { useMutation, useQuery } from '@connectrpc/connect-query'
import { type Account, AccountService } from '@wadi/protocol/gen/argocd/account/account_pb.ts'
import { useState } from 'react'
import { useCaller } from '../../server/caller.ts'
import { useRight } from '../../server/rights.ts'
import { KeysDialog } from './keys-dialog.tsx'
import { SettingsTable } from './settings-table.tsx'
import { t } from '../../language/t.ts'

const { createToken, deleteToken, listAccounts } = AccountService.method

/** The local accounts and their API keys. */
export function AccountsTab() {
  const answer = useQuery(listAccounts, {})
  const [chosen, choose] = useState('')
  const account = answer.data?.items.find(({ name }) => name === chosen)
  return (
    <>
      <SettingsTable
        what={t('The accounts')}
        answer={answer}
        rows={answer.data?.items}
        keyOf={({ name }) => name}
        empty={t('You may see no account.')}
        columns={{
          [t('Name')]: ({ name }) => name,
          [t('State')]: ({ enabled }) => (enabled ? t('enabled') : t('disabled')),
          [t('May use')]: ({ capabilities }) => capabilities.join(', '),
          [t('API keys')]: (row) => keysCell(row, choose),
        }}
      />
      {account && <AccountKeys account={account} refetch={() => answer.refetch()} close={() => choose('')} />}
    </>
  )
}

function keysCell(account: Account, choose: (name: string) => void) {
  return <KeysCell account={account} choose={choose} />
}

function KeysCell({ account, choose }: { account: Account; choose: (name: string) => void }) {
  const { name, tokens, capabilities } = account
  const mayUpdate = useRight('accounts', 'update', name)
  const isOwn = useCaller().data?.username === name
  const isOffered = (mayUpdate && capabilities.includes('apiKey')) || (isOwn && tokens.length > 0)
  return (
    <Group gap="sm">
      {t('{count, plural, one {# key} other {# keys}}', { count: tokens.length })}
      {isOffered && (
        <Button
          size="compact-xs"
          variant="default"
          onClick={() => choose(name)}
          aria-label={t('Manage keys of {name}', { name })}
        >
          {t('Manage')}
        </Button>
      )}
    </Group>
  )
}

interface AccountKeysProps {
  account: Account
  refetch: () => Promise<unknown>
  close: () => void
}

function AccountKeys({ account: { name, tokens, capabilities }, refetch, close }: AccountKeysProps) {
  const mayUpdate = useRight('accounts', 'update', name)
  const create = useMutation(createToken, { onSettled: refetch })
  const remove = useMutation(deleteToken, { onSettled: refetch })
  return (
    <KeysDialog
      owner={name}
      title={t('API keys of {name}', { name })}
      keys={tokens.map(({ id, issuedAt, expiresAt }) => ({
        id,
        issuedAt: Number(issuedAt),
        expiresAt: Number(expiresAt),
      }))}
      mayCreate={mayUpdate && capabilities.includes('apiKey')}
      create={async (expiresIn) => (await create.mutateAsync({ name, expiresIn })).token}
      remove={(id) => remove.mutateAsync({ name, id })}
      close={close}
    />
  )
}
