import type { HandlerContext } from '@connectrpc/connect'
import { PermissionDeniedError } from '@wadi/errors/domain-error.ts'
import { LRUCache } from 'lru-cache'
import type { LivePolicy } from '@wadi/rbac/decide/live-policy.ts'
import { type Caller, callerOf } from '../authentication/caller.ts'
import { noteDecision } from './decided-by-policy.ts'

/** The inputs for deciding about a call: its context values name the caller. */
export type Call = Pick<HandlerContext, 'values'>

/** Decides what the callers of the gateway may do, by the policy of the moment. */
export interface Authorization {
  /** Returns whether the caller may do the action to the object of a resource, for example `dev/web`. */
  allows(call: Call, resource: string, action: string, object: string): boolean
  /**
   * Returns what `allows` for many objects of one call. The answers are kept as long as the policy is the same, so that lists of
   * thousands cost each account one decision for each object.
   */
  allowsEach(call: Call, resource: string, action: string): (object: string) => boolean
  /** @throws PermissionDeniedError that names what was asked for, as Argo CD does */
  require(call: Call, resource: string, action: string, object: string): void
  /** Refuses what the policy may allow, with the message of `require`, so that it does not reveal the reason. */
  refuse(call: Call, resource: string, action: string, object: string): never
}

/** Accounts whose answers about many objects are kept, for each resource and action. */
const maxKept = 64
/** Answers of one of them; objects come and go while the policy stays the same. */
const maxAnswers = 50_000

/** Makes the decisions of one gateway. */
export function createAuthorization(policy: Pick<LivePolicy, 'enforcer'>): Authorization {
  const keptAnswers = new WeakMap<LivePolicy['enforcer'], LRUCache<string, Map<string, boolean>>>()
  const answersOf = (enforcer: LivePolicy['enforcer'], key: string): Map<string, boolean> => {
    let accounts = keptAnswers.get(enforcer)
    if (!accounts) keptAnswers.set(enforcer, (accounts = new LRUCache({ max: maxKept })))
    let answers = accounts.get(key)
    if (!answers) accounts.set(key, (answers = new Map()))
    return answers
  }
  const allowsEach: Authorization['allowsEach'] = (call, resource, action) => {
    const { subject } = callerOf(call)
    const key = JSON.stringify([subject.sub, subject.groups, resource, action])
    let { enforcer } = policy
    let answers = answersOf(enforcer, key)
    noteDecision(call.values)
    return (object) => {
      if (policy.enforcer !== enforcer) {
        ;({ enforcer } = policy)
        answers = answersOf(enforcer, key)
      }
      let answer = answers.get(object)
      if (answer === undefined) {
        answer = enforcer.allows(subject, resource, action, object)
        if (answers.size >= maxAnswers) answers.clear()
        answers.set(object, answer)
      }
      return answer
    }
  }
  const allows: Authorization['allows'] = (call, resource, action, object) => {
    noteDecision(call.values)
    return policy.enforcer.allows(callerOf(call).subject, resource, action, object)
  }
  const refuse: Authorization['refuse'] = (call, resource, action, object) => {
    throw new PermissionDeniedError(rejection(callerOf(call), resource, action, object))
  }
  return {
    allows,
    allowsEach,
    require(call, resource, action, object) {
      if (!allows(call, resource, action, object)) refuse(call, resource, action, object)
    },
    refuse,
  }
}

function rejection({ username, issuedAt }: Caller, resource: string, action: string, object: string): string {
  const issued =
    issuedAt === 0 ? '' : `, iat: ${new Date(issuedAt * 1_000).toISOString().replace('.000Z', 'Z')}`
  return `permission denied: ${resource}, ${action}, ${object}, sub: ${username}${issued}`
}
