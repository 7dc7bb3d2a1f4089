import { isNamespaceName } from '@wadi/resources/object-checks.ts'
import { controlPlaneNamespace } from '@wadi/resources/control-plane-namespace.ts'
import { compileArgoGlob } from '@wadi/patterns/argo-glob.ts'
import { compileGoRegex } from '@wadi/patterns/go-regex.ts'
import type { Matcher } from '@wadi/patterns/matcher.ts'

/** Which namespaces are followed: some by name, or those of all that a rule admits. */
export type FollowedNamespaces =
  | { readonly namespaces: readonly string[] }
  | { readonly isWithin: (namespace: string) => boolean }

/**
 * Reads the namespaces of Applications as Argo CD reads `application.namespaces`: the control plane's and those that a name, a glob
 * or a regular expression between slashes matches. Names alone are followed one by one, which a role in each namespace permits; a
 * pattern needs the right to list the whole cluster.
 * @throws InvalidInputError for a pattern that cannot be compiled
 */
export function applicationNamespaces(patterns: readonly string[]): FollowedNamespaces {
  if (patterns.every(isNamespaceName)) {
    return { namespaces: [...new Set([controlPlaneNamespace, ...patterns])] }
  }
  const matchers = patterns.map(matcherOf)
  return {
    isWithin: (namespace) =>
      namespace === controlPlaneNamespace || matchers.some((matches) => matches(namespace)),
  }
}

/** Returns whether a namespace is one of those that are followed. */
export function isFollowed(followed: FollowedNamespaces): (namespace: string) => boolean {
  return 'isWithin' in followed ? followed.isWithin : (namespace) => followed.namespaces.includes(namespace)
}

/** As util/glob of Argo CD: a regular expression may match any part of the name. */
function matcherOf(pattern: string): Matcher {
  const expression = /^\/(.*)\/$/su.exec(pattern)?.[1]
  return expression === undefined ? compileArgoGlob(pattern) : compileGoRegex(expression)
}
