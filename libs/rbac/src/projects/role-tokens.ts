import { listAt, objectAt, textAt, valueAt } from '@wadi/fields/json-fields.ts'

/** A token of a role, without its secret. */
export interface RoleToken {
  /** What it is deleted by: its id, or for one of Argo CD without any when it was issued. */
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
