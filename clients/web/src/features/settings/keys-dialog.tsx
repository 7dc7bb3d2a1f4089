import { Button, Group, Select, Stack, Text, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { Age } from '../../components/age.tsx'
import { copyText } from '../../components/copy-text.ts'
import { DataTable, type DataTableProps } from '../../components/data-table.tsx'
import { Dialog } from '../../components/dialog.tsx'
import { ErrorState } from '../../components/error-state.tsx'
import { t } from '../../language/t.ts'

/** An API key or a token of a role, without its secret. */
interface ListedKey {
  id: string
  /** In seconds since 1970. */
  issuedAt: number
  /** In seconds since 1970; 0 for never. */
  expiresAt: number
}

interface KeysDialogProps {
  /** The owner of the keys, `ann` for example: a key gives its owner's rights. */
  owner: string
  title: string
  keys: readonly ListedKey[]
  /** True if new keys may be made. */
  mayCreate: boolean
  /** Makes a key that expires after that many seconds, or never for 0, and returns it. */
  create: (expiresIn: bigint) => Promise<string>
  remove: (id: string) => Promise<unknown>
  close: () => void
}

const day = 86_400
const lifetimes = [
  { value: String(30 * day), label: t('in 30 days') },
  { value: String(90 * day), label: t('in 90 days') },
  { value: String(365 * day), label: t('in a year') },
  { value: '0', label: t('never') },
]

/** Lists keys, revokes them and makes new ones, of which none is lost before somebody copied it or leaves it on purpose. */
export function KeysDialog({ owner, title, keys, mayCreate, create, remove, close }: KeysDialogProps) {
  const revoke = useMutation({ mutationFn: remove })
  const [isCopied, setCopied] = useState(true)
  const made = useMutation({ mutationFn: create, onSuccess: () => setCopied(false) })
  return (
    <Dialog title={title} size="lg" hasSecret={!isCopied} close={close}>
      <Stack>
        {keys.length === 0 ? (
          <Text size="sm" c="dimmed">
            {t('No keys yet.')}
          </Text>
        ) : (
          <KeyTable keys={keys} revoke={(id) => revoke.mutate(id)} isPending={revoke.isPending} />
        )}
        {revoke.isError && <ErrorState title={t('The key was not revoked')} error={revoke.error} />}
        {mayCreate && <NewKey make={made.mutate} isPending={made.isPending} isLocked={!isCopied} />}
        {made.isError && <ErrorState title={t('No key was created')} error={made.error} />}
        {made.data !== undefined && (
          <MadeKey key={made.data} owner={owner} secret={made.data} onCopy={() => setCopied(true)} />
        )}
      </Stack>
    </Dialog>
  )
}

interface KeyTableProps {
  keys: readonly ListedKey[]
  revoke: (id: string) => void
  isPending: boolean
}

interface KeyRow extends ListedKey, Omit<KeyTableProps, 'keys'> {
  /** True if it is to be revoked, so that only the confirmation is missing. */
  isAsked: boolean
  ask: (id: string) => void
}

const columns: DataTableProps<KeyRow>['columns'] = {
  [t('Key')]: ({ id }) => id,
  [t('Made')]: ({ issuedAt }) => <Age time={timeOf(issuedAt)} />,
  [t('Expires')]: ({ expiresAt }) => (expiresAt === 0 ? t('never') : <Age time={timeOf(expiresAt)} />),
  [t('Revoke')]: (row) => <RevokeButton row={row} />,
}

function KeyTable({ keys, ...rest }: KeyTableProps) {
  const [asked, ask] = useState('')
  return (
    <DataTable
      label={t('Keys')}
      rows={keys.map((key) => ({ ...key, ...rest, ask, isAsked: key.id === asked }))}
      keyOf={({ id }) => id}
      columns={columns}
    />
  )
}

function RevokeButton({ row: { id, isAsked, isPending, ask, revoke } }: { row: KeyRow }) {
  if (isAsked)
    return (
      <Button
        size="compact-xs"
        color="red"
        loading={isPending}
        aria-label={t('For good? Revoke {key}', { key: id })}
        onClick={() => revoke(id)}
      >
        {t('For good?')}
      </Button>
    )
  return (
    <Button
      size="compact-xs"
      variant="default"
      aria-label={t('Revoke {key}', { key: id })}
      onClick={() => ask(id)}
    >
      {t('Revoke')}
    </Button>
  )
}

interface NewKeyProps {
  make: (expiresIn: bigint) => void
  isPending: boolean
  /** True while another key would take the place of one that is not copied yet. */
  isLocked: boolean
}

function NewKey({ make, isPending, isLocked }: NewKeyProps) {
  const [lifetime, setLifetime] = useState(lifetimes[0]?.value ?? '0')
  return (
    <Group align="flex-end">
      <Select
        label={t('A new key expires')}
        data={lifetimes}
        value={lifetime}
        onChange={(value) => setLifetime(value ?? '0')}
        allowDeselect={false}
      />
      <Button loading={isPending} disabled={isLocked} onClick={() => make(BigInt(lifetime))}>
        {t('Make a key')}
      </Button>
    </Group>
  )
}

interface MadeKeyProps {
  owner: string
  secret: string
  onCopy: () => void
}

function MadeKey({ owner, secret, onCopy }: MadeKeyProps) {
  const copy = useMutation({ mutationFn: () => copyText(secret), onSuccess: onCopy })
  return (
    <>
      <Text size="sm">{t('It is shown once. Whoever has it can do what {owner} may.', { owner })}</Text>
      <Group wrap="nowrap" align="flex-start">
        <TextInput
          aria-label={t('New key')}
          value={secret}
          readOnly
          flex={1}
          onFocus={({ currentTarget }) => currentTarget.select()}
          onCopy={onCopy}
          error={copy.isError && t('The browser did not copy it. Select the text and copy it.')}
        />
        <Button onClick={() => copy.mutate()}>{copy.isSuccess ? t('Copied') : t('Copy')}</Button>
      </Group>
    </>
  )
}

function timeOf(seconds: number): string {
  return new Date(seconds * 1_000).toISOString()
}
