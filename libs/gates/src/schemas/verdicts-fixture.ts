import type { DryRun } from '@wadi/testing/kubernetes-plane/dry-run.ts'
import type { Violation } from '../gate.ts'

/**
 * The comparison of the gate with an API server: `rejected` and `accepted` by both; `semantic` if the server alone rejects, by
 * validation that no schema has; `field` if they reject another field; `missed` and `invented` if one alone reads the object otherwise.
 */
export type Comparison = 'rejected' | 'accepted' | 'semantic' | 'field' | 'missed' | 'invented'

/** Compares the findings of the gate with the verdict of an API server. */
export function compareVerdicts(violations: readonly Violation[], server: DryRun): Comparison {
  const isAccepted = server.status >= 200 && server.status < 300
  const [first] = violations
  if (first === undefined) return isAccepted ? 'accepted' : server.status === 400 ? 'missed' : 'semantic'
  if (isAccepted) return 'invented'
  return violations.some(({ field }) => namesField(server, field)) ? 'rejected' : 'field'
}

function namesField({ message, causes }: DryRun, field: string): boolean {
  const fields = causes.flatMap((cause) => (cause.field === undefined ? [] : [cause.field]))
  if (fields.some((one) => isRelated(withoutKeys(one), field))) return true
  const unknown = message.matchAll(/unknown field "([^"]+)"/g)
  if ([...unknown].some(([, one = '']) => one === field)) return true
  // The decoder names a field without indices, with the Go types that it is embedded by, and for some types not at all.
  const [, decoded] = /Go struct field \w+\.([\w.]+) of type/.exec(message) ?? []
  if (decoded !== undefined) {
    const last = decoded.split('.').at(-1) ?? ''
    return field.split(/[.[]/).some((part) => part === last)
  }
  return /cannot be handled as|cannot unmarshal|strict decoding error: (?!unknown)/.test(message)
}

/** The server writes keys of objects as `labels[a.b/c]` in some places. */
function withoutKeys(field: string): string {
  return field.replaceAll(/\[([^\]\d][^\]]*)\]/g, '.$1')
}

function isRelated(one: string, other: string): boolean {
  return one === other || isInside(one, other) || isInside(other, one)
}

function isInside(inner: string, outer: string): boolean {
  return inner.startsWith(`${outer}.`) || inner.startsWith(`${outer}[`)
}
