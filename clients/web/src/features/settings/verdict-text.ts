import type { AccessRule, AccessVerdict } from '@wadi/protocol/gen/wadi/api_gateway/v1/policy_service_pb.ts'
import type { Right } from './right-fields.tsx'

type Verdict = Pick<AccessVerdict, 'allowed'> & {
  rules: readonly Pick<AccessRule, 'effect' | 'identity'>[]
}

/** The verdict about a subject as a sentence: `ann may sync applications web/shop.` */
export function verdictText(subject: string, { resource, action, object }: Right, allowed: boolean): string {
  return `${subject} ${allowed ? 'may' : 'may not'} ${action} ${object === '' ? 'all ' : ''}${resource}${object && ` ${object}`}.`
}

/** Says why the verdict is so; the rules that it speaks of are shown below it. */
export function reasonText({ allowed, rules }: Verdict): string {
  if (rules.length === 0) return 'No rule allows it.'
  return allowed ? 'A rule allows it:' : 'This stands against it:'
}

/** Says by whom the subject has a rule: `It applies to role:web`. */
export function ruleOrigin({ effect, identity }: Pick<AccessRule, 'effect' | 'identity'>): string {
  const whom = `applies to ${identity === '' ? 'everybody' : identity}`
  return effect === 'unreadable' ? `Its regular expression cannot be read; it ${whom}` : `It ${whom}`
}
