import type { Resource } from '../resource.ts'

/**
 * Whether finalizers keep a deleted object in a store that no Argo CD works on. Those of Argo CD do not: they wait for it to
 * remove what an Application deployed, which nothing does here.
 */
export function isHeld({ metadata: { finalizers = [] } }: Resource): boolean {
  return finalizers.some((finalizer) => !argocdFinalizer.test(finalizer))
}

/** `resources-finalizer.argocd.argoproj.io/foreground` and the like. */
const argocdFinalizer = /^[a-z-]+\.argocd\.argoproj\.io(?:\/|$)/
