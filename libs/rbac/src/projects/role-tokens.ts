import { listAt, objectAt, textAt, valueAt } from '@wadi/fields/json-fields.ts'

/** A token of a role, without its secret. */
export interface RoleToken {
  /** The key by which it is deleted: its id, or the time of issue for a token of Argo CD without an id. */
  id: string
  /** In seconds since 1970. */
  issuedAt: number
  /** In seconds since 1970; 0 for never. */
  expiresAt: number
}

/** Returns the tokens of a role of an AppProject as servers use them: those of the status, else those of the spec. */
export function roleTokens(project: object, role: string): RoleToken[] {
  const lists = objectAt(project, 'status', 'jwtTokensByRole')
  const spec = listAt(project, 'spec', 'roles').find((known) => textAt(known, 'name') === role)
  const list = Object.hasOwn(lists, role) ? listAt(lists, role, 'items') : listAt(spec, 'jwtTokens')
  return list.map((token) => {
    const issuedAt = numberOf(valueAt(token, 'iat'))
    return {
      id: textAt(token, 'id') || String(issuedAt),
      issuedAt,
      expiresAt: numberOf(valueAt(token, 'exp')),
    }
  })
}

function numberOf(value: unknown): number {
  return typeof value === 'number' ? value : 0
}
