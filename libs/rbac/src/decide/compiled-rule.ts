import { InvalidInputError } from '@wadi/errors/domain-error.ts'
import type { Matcher } from '@wadi/patterns/matcher.ts'
import { compilePattern } from '../policy/pattern.ts'
import type { MatchMode, PermissionRule } from '../policy/policy.ts'

/** A rule ready to be asked. */
export interface CompiledRule {
  rule: PermissionRule
  /** `undefined` for a regular expression that cannot be read. */
  resource: Matcher | undefined
  action: Matcher | undefined
  object: Matcher | undefined
  /** The text that every matching object begins with. */
  objectPrefix: string
}

/** A rule that concerns a resource and an action, so that the object alone decides. */
export interface Candidate {
  /** `unreadable`: an expression that cannot be read was reached, which in Argo CD fails the whole evaluation. */
  effect: 'deny' | 'unreadable' | 'allow'
  rule: PermissionRule
  matchesObject: Matcher
  objectPrefix: string
}

/** Stands for a glob that cannot be read. */
const matchesNothing: Matcher = () => false

/** Returns what compiles rules; equal patterns are compiled once. */
export function ruleCompiler(mode: MatchMode): (rule: PermissionRule) => CompiledRule {
  const matchers = new Map<string, Matcher | undefined>()
  const compiled = (pattern: string): Matcher | undefined => {
    if (!matchers.has(pattern)) matchers.set(pattern, matcherOf(pattern, mode))
    return matchers.get(pattern)
  }
  return (rule) => ({
    rule,
    resource: compiled(rule.resource),
    action: compiled(rule.action),
    object: compiled(rule.object),
    objectPrefix: mode === 'glob' ? (/^[^*?[{\\]*/.exec(rule.object)?.[0] ?? '') : '',
  })
}

/**
 * Returns the rules that concern a resource and an action in the order in which the first one that matches the object
 * is the verdict: whatever denies or fails the evaluation stands before what allows.
 */
export function candidatesFor(rules: readonly CompiledRule[], resource: string, action: string): Candidate[] {
  const candidates = rules
    .map((rule) => candidateFor(rule, resource, action))
    .filter((item) => item !== undefined)
  return [
    ...candidates.filter(({ effect }) => effect !== 'allow'),
    ...candidates.filter(({ effect }) => effect === 'allow'),
  ]
}

function candidateFor(compiled: CompiledRule, resource: string, action: string): Candidate | undefined {
  const { rule, objectPrefix } = compiled
  const unreadable = { effect: 'unreadable', rule, matchesObject: () => true, objectPrefix } as const
  if (!compiled.resource) return unreadable
  if (!compiled.resource(resource)) return undefined
  if (!compiled.action) return unreadable
  if (!compiled.action(action)) return undefined
  if (!compiled.object) return unreadable
  const { effect } = rule
  if ((effect !== 'allow' && effect !== 'deny') || compiled.object === matchesNothing) return undefined
  return { effect, rule, matchesObject: compiled.object, objectPrefix }
}

function matcherOf(pattern: string, mode: MatchMode): Matcher | undefined {
  try {
    return compilePattern(pattern, mode)
  } catch (error) {
    if (!(error instanceof InvalidInputError)) throw error
    return mode === 'glob' ? matchesNothing : undefined
  }
}
