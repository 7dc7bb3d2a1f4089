import { InvalidInputError } from '@wadi/errors/domain-error.ts'
import { someOf } from '@wadi/errors/some-of.ts'
import { readYaml } from '@wadi/manifests/read-yaml.ts'
import type { MatchMode, Policy } from './policy.ts'
import { readPolicyLines } from './read-policy.ts'

/** The decisions of the ConfigMap `argocd-rbac-cm`. */
export interface PolicyConfig {
  /** The rules of the operator; those of the built-in roles come on top of them in an enforcer. */
  policy: Policy
  /** The role that everybody has, also who is not signed in; empty for none. */
  defaultRole: string
  /** The claims of a token that name groups. */
  scopes: readonly string[]
  matchMode: MatchMode
  /**
   * True if a deny for any identity of a caller (user, groups, default role) takes precedence over every allow.
   * Otherwise a deny applies only inside the identity that it is for, as in Argo CD.
   */
  denyWins: boolean
}

const maxErrors = 20
const defaultScopes = ['groups']

/**
 * Reads the data of a ConfigMap: `policy.csv`, then every `policy.<x>.csv` by key, `policy.default`, `scopes`,
 * `policy.matchMode` (`regex`; anything else is `glob`) and `policy.denyWins` (`true` when absent).
 * @param place says where the text of a key stands; the key itself and line 1 when absent.
 * @throws InvalidInputError with one line for each of the first 20 errors, broken lines of the policy as `source:line: …`.
 */
export function readPolicyConfig(
  data: Readonly<Record<string, string>>,
  place: (key: string) => { source: string; firstLine: number } = (key) => ({ source: key, firstLine: 1 }),
): PolicyConfig {
  const entries = new Map(Object.entries(data))
  const texts = policyKeys(entries).map((key) => ({ ...place(key), text: entries.get(key) ?? '' }))
  const { policy, errors: brokenLines } = readPolicyLines(texts)
  const errors = [...brokenLines]
  const at = (key: string) => `${place(key).source}:${place(key).firstLine}`
  const scopes = readScopes(entries.get('scopes') ?? '')
  if (scopes === undefined) {
    errors.push(`${at('scopes')}: scopes must be a YAML list of claims, for example [groups, email]`)
  }
  const denyWins = entries.get('policy.denyWins') ?? 'true'
  if (denyWins !== 'true' && denyWins !== 'false') {
    errors.push(`${at('policy.denyWins')}: policy.denyWins must be "true" or "false"`)
  }
  if (errors.length > 0) throw new InvalidInputError(someOf(errors, maxErrors).join('\n'))
  return {
    policy,
    defaultRole: entries.get('policy.default') ?? '',
    scopes: scopes ?? [],
    matchMode: entries.get('policy.matchMode') === 'regex' ? 'regex' : 'glob',
    denyWins: denyWins === 'true',
  }
}

function policyKeys(entries: ReadonlyMap<string, string>): string[] {
  const isFurther = (key: string) => /^policy\..*\.csv$/s.test(key)
  const further = [...entries.keys()].filter(isFurther).toSorted()
  return entries.has('policy.csv') ? ['policy.csv', ...further] : further
}

function readScopes(text: string): readonly string[] | undefined {
  if (text.trim() === '') return defaultScopes
  const value = parsedYaml(text)
  if (!Array.isArray(value)) return undefined
  const scopes = value.filter((item) => typeof item === 'string')
  return scopes.length === value.length ? scopes : undefined
}

function parsedYaml(text: string): unknown {
  try {
    return readYaml(text, 'scopes').documents[0]?.value
  } catch {
    return undefined
  }
}
