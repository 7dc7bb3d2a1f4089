import { InvalidInputError } from '@wadi/errors/domain-error.ts'
import { nearestName } from '@wadi/errors/nearest-name.ts'
import { withBuiltInRoles } from './built-in-policy.ts'
import { ruleCompiler } from '../decide/compiled-rule.ts'
import type { Matcher } from '@wadi/patterns/matcher.ts'
import { compilePattern } from './pattern.ts'
import { PolicyLayer } from '../decide/policy-layer.ts'
import type { MatchMode, PermissionRule } from './policy.ts'
import type { PolicyConfig } from './read-policy-config.ts'
import { rbacResources } from './resources-and-actions.ts'
import type { RbacResource } from './resources-and-actions.ts'

/**
 * Returns what a policy that can be read probably does not mean to say, as `source:line: …`: roles without any
 * permission, effects other than allow and deny, patterns that cannot be read, resources and actions that no request
 * has.
 */
export function policyWarnings(config: PolicyConfig): string[] {
  const { policy, matchMode } = config
  const warnings = policy.rules.flatMap((rule) =>
    ruleWarnings(rule, matchMode).map((text) => `${rule.at}: ${text}`),
  )
  const layer = new PolicyLayer(withBuiltInRoles(policy), ruleCompiler(matchMode))
  for (const { role, at } of policy.grants) {
    if (layer.identity(role).isEmpty)
      warnings.push(`${at}: the role ${JSON.stringify(role)} has no permission`)
  }
  const { defaultRole } = config
  if (defaultRole !== '' && layer.identity(defaultRole).isEmpty) {
    warnings.push(`policy.default: the role ${JSON.stringify(defaultRole)} has no permission`)
  }
  if (matchMode === 'regex') {
    warnings.push(
      'policy.matchMode: role:admin and role:readonly grant nothing, because their patterns are not regular expressions',
    )
  }
  return warnings
}

function ruleWarnings(rule: PermissionRule, mode: MatchMode): string[] {
  const { resource, action, object, effect } = rule
  const warnings: string[] = []
  if (effect !== 'allow' && effect !== 'deny') {
    warnings.push(`the effect ${JSON.stringify(effect)} is neither allow nor deny, so the rule does nothing`)
  }
  const compiled = (pattern: string): Matcher | undefined => {
    try {
      return compilePattern(pattern, mode)
    } catch (error) {
      if (!(error instanceof InvalidInputError)) throw error
      const consequence =
        mode === 'glob' ? 'it matches nothing' : `${rule.subject} has no right for what the rule is about`
      warnings.push(`${error.message}; ${consequence}`)
      return undefined
    }
  }
  const [ofResource, ofAction] = [compiled(resource), compiled(action)]
  compiled(object)
  if (ofResource && ofAction) warnings.push(...nameWarnings(rule, ofResource, ofAction))
  return warnings
}

function nameWarnings(
  { resource, action }: PermissionRule,
  ofResource: Matcher,
  ofAction: Matcher,
): string[] {
  const resources = rbacResources.filter(({ name }) => ofResource(name))
  if (resources.length === 0) {
    const names = rbacResources.map(({ name }) => name)
    return [`there is no resource ${JSON.stringify(resource)}${suggestion(resource, names)}`]
  }
  if (resources.some((one) => isPossible(one, action, ofAction))) return []
  const known = resources.flatMap(({ actions }) => actions)
  const [only] = resources
  const where = resources.length === 1 && only ? only.name : JSON.stringify(resource)
  return [`there is no action ${JSON.stringify(action)} for ${where}${suggestion(action, known)}`]
}

/** Returns whether a request for the resource can have an action of the pattern. */
function isPossible({ actions }: RbacResource, pattern: string, matches: Matcher): boolean {
  return actions.some((action) => {
    if (!action.endsWith('/*')) return matches(action)
    const start = action.slice(0, -1)
    const witnesses = [`${start}apps/Deployment/restart`, `${start}apps/Deployment/default/web`]
    return pattern.startsWith(start) || witnesses.some(matches)
  })
}

function suggestion(word: string, names: readonly string[]): string {
  const nearest = nearestName(word, names)
  return nearest === undefined ? '' : `; did you mean ${nearest}?`
}
