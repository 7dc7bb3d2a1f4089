import type { Resource } from '../resource.ts'

/**
 * True if finalizers keep a deleted object in a store that no Argo CD uses. Those of Argo CD do not: they wait until it
 * has removed what an Application deployed, and there is no Argo CD to do so.
 */
export function isHeld({ metadata: { finalizers = [] } }: Resource): boolean {
  return finalizers.some((finalizer) => !argocdFinalizer.test(finalizer))
}

/** `resources-finalizer.argocd.argoproj.io/foreground` and the like. */
const argocdFinalizer = /^[a-z-]+\.argocd\.argoproj\.io(?:\/|$)/
