import { isJsonObject } from '@wadi/fields/json-object.ts'

/** The caller, as far as a policy sees it. */
export interface Subject {
  /** The name of the user or of the token of a project role (`proj:<project>:<role>`); empty for nobody. */
  readonly sub: string
  readonly groups: readonly string[]
}

/**
 * The caller without a sign-in, which has only the default role and the rules for the empty name.
 * @internal
 */
export const anonymous: Subject = { sub: '', groups: [] }

/**
 * Returns whom the claims of a token name: `federated_claims.user_id`, else `sub`, and the texts of the claims that
 * `scopes` lists as groups.
 */
export function subjectOfClaims(
  claims: Readonly<Record<string, unknown>>,
  scopes: readonly string[],
): Subject {
  const entries = new Map(Object.entries(claims))
  const federated = entries.get('federated_claims')
  const user = isJsonObject(federated) ? federated['user_id'] : undefined
  const sub = typeof user === 'string' && user !== '' ? user : entries.get('sub')
  const groups = scopes.flatMap((scope) => entries.get(scope))
  return {
    sub: typeof sub === 'string' ? sub : '',
    groups: groups.filter((group) => typeof group === 'string'),
  }
}
