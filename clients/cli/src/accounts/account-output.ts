import { AccountSchema } from '@wadi/protocol/gen/argocd/account/account_pb.ts'
import type { Account } from '@wadi/protocol/gen/argocd/account/account_pb.ts'
import { messageObject } from '../output/message-output.ts'
import { printable } from '../output/printable.ts'
import { structuredText } from '../output/structured-output.ts'
import { blockLine, tableText } from '../output/table.ts'
import { expiryText, timeText } from '../output/time-text.ts'

/** The output formats of accounts. */
export type AccountFormat = 'wide' | 'name' | 'json' | 'yaml'

/** Returns the text of several accounts. */
export function accountsText(accounts: readonly Account[], format: AccountFormat): string {
  if (format === 'name') return accounts.map(({ name }) => `${printable(name)}\n`).join('')
  if (format === 'wide') {
    const rows = accounts.map(({ name, enabled, capabilities }) => [
      name,
      String(enabled),
      capabilities.join(', '),
    ])
    return tableText(['NAME', 'ENABLED', 'CAPABILITIES'], rows)
  }
  const objects = accounts.map((account) => messageObject(AccountSchema, account))
  return structuredText(objects, format)
}

/** Returns the text of one account with its tokens, as argocd lays it out. */
export function accountText(account: Account, format: AccountFormat): string {
  if (format === 'name') return `${printable(account.name)}\n`
  if (format !== 'wide') return structuredText(messageObject(AccountSchema, account), format)
  const rows = account.tokens.map(({ id, issuedAt, expiresAt }) => [
    id,
    timeText(issuedAt),
    expiryText(expiresAt),
  ])
  return (
    blockLine('Name:', account.name) +
    blockLine('Enabled:', String(account.enabled)) +
    blockLine('Capabilities:', account.capabilities.join(', ')) +
    `\nTokens:\n${rows.length === 0 ? 'NONE\n' : tableText(['ID', 'ISSUED AT', 'EXPIRING AT'], rows)}`
  )
}
