import type { HandlerContext } from '@connectrpc/connect'
import { InvalidInputError, ResourceExhaustedError } from '@wadi/errors/domain-error.ts'
import type {
  AccessCheck,
  ExplainAccessRequest,
} from '@wadi/protocol/gen/wadi/api_gateway/v1/policy_service_pb.ts'
import type { DecidingRule } from '@wadi/rbac/decide/enforcer.ts'
import { policyConfigMap } from '@wadi/rbac/decide/live-policy.ts'
import { findResource } from '@wadi/rbac/policy/resources-and-actions.ts'
import { ruleText } from '@wadi/rbac/policy/rule-text.ts'
import type { GatewayContext } from '../context.ts'

const maxGroups = 100
const maxChecks = 500

/** Says of any subject what the policy lets it do, and by which rule, to those who may read the policy. */
export function explainAccess({ authorization, policy }: GatewayContext) {
  return ({ subject: sub, groups, checks }: ExplainAccessRequest, call: HandlerContext) => {
    authorization.require(call, 'settings', 'get', `ConfigMap/${policyConfigMap}`)
    if (groups.length > maxGroups) throw tooMany('groups', groups.length, maxGroups)
    if (checks.length > maxChecks) throw tooMany('checks', checks.length, maxChecks)
    const { enforcer } = policy
    return {
      verdicts: checks.map((check) => {
        const { resource, action, object } = knownCheck(check)
        const { allowed, rules, ignored } = enforcer.explain({ sub, groups }, resource, action, object)
        return { allowed, rules: rules.map(ruleMessage), ignored: ignored.map(ruleMessage) }
      }),
    }
  }
}

/** The check in the words of policies. @throws InvalidInputError for a resource that no policy speaks of */
function knownCheck({ resource, action, object }: AccessCheck) {
  const known = findResource(resource)
  if (!known) throw new InvalidInputError(`unknown resource ${JSON.stringify(resource.slice(0, 100))}`)
  const everything = known.inProjects ? '*/*' : '*'
  return { resource: known.name, action, object: object === '' || object === '*' ? everything : object }
}

function ruleMessage({ effect, identity, rule }: DecidingRule) {
  return { effect, identity, rule: ruleText(rule), at: rule.at }
}

function tooMany(what: string, count: number, most: number): ResourceExhaustedError {
  return new ResourceExhaustedError(`${count} ${what} are more than ${most}; ask in several calls`)
}
