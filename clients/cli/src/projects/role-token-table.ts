import type { RoleToken } from '@wadi/rbac/projects/role-tokens.ts'
import { tableText } from '../output/table.ts'
import { expiryText, timeText } from '../output/time-text.ts'

/** Returns the tokens of a role as a table; with `asSeconds` the times are seconds since 1970. */
export function tokenTable(tokens: readonly RoleToken[], asSeconds = false): string {
  const rows = tokens.map(({ id, issuedAt, expiresAt }) =>
    asSeconds ? [id, String(issuedAt), String(expiresAt)] : [id, timeText(issuedAt), expiryText(expiresAt)],
  )
  return tableText(['ID', 'ISSUED-AT', 'EXPIRES-AT'], rows)
}
