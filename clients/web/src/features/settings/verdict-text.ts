import type { AccessRule, AccessVerdict } from '@wadi/protocol/gen/wadi/api_gateway/v1/policy_service_pb.ts'
import type { Right } from './right-fields.tsx'
import { t } from '../../language/t.ts'

type Verdict = Pick<AccessVerdict, 'allowed'> & {
  rules: readonly Pick<AccessRule, 'effect' | 'identity'>[]
}

/** The verdict about a subject as a sentence: `ann may sync applications web/shop.` */
export function verdictText(subject: string, { resource, action, object }: Right, allowed: boolean): string {
  const right =
    object === '' ? t('{action} all {resource}', { action, resource }) : `${action} ${resource} ${object}`
  return allowed
    ? t('{subject} may {right}.', { subject, right })
    : t('{subject} may not {right}.', { subject, right })
}

/** Says why the verdict is so; the rules that it speaks of are shown below it. */
export function reasonText({ allowed, rules }: Verdict): string {
  if (rules.length === 0) return t('No rule allows it.')
  return allowed ? t('A rule allows it:') : t('This stands against it:')
}

/** Says by whom the subject has a rule: `It applies to role:web`. */
export function ruleOrigin({ effect, identity }: Pick<AccessRule, 'effect' | 'identity'>): string {
  const subject = identity === '' ? t('everybody') : identity
  return effect === 'unreadable'
    ? t('Its regular expression cannot be read; it applies to {subject}', { subject })
    : t('It applies to {subject}', { subject })
}
