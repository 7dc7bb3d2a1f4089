import { InvalidInputError } from '@wadi/errors/domain-error.ts'
import { compileArgoGlob } from '@wadi/patterns/argo-glob.ts'
import type { Matcher } from '@wadi/patterns/matcher.ts'
import { controlPlaneNamespace } from '@wadi/resources/control-plane-namespace.ts'
import type { GatewayContext } from '../context.ts'

/** The key of `argocd-cm` with globs of branches in the order of their stages. */
const environmentsKey = 'sourceHydrator.environments'

const maxPatterns = 1_000

/** Reads the operator's order of stages; a pattern that is wrong matches nothing. */
export async function readEnvironmentPatterns({ store }: Pick<GatewayContext, 'store'>): Promise<Matcher[]> {
  const configMap = await store.get('ConfigMap', controlPlaneNamespace, 'argocd-cm')
  const patterns = (configMap?.data?.[environmentsKey] ?? '').split(/[\s,]+/).filter(Boolean)
  return patterns.slice(0, maxPatterns).map(matcherOf)
}

function matcherOf(pattern: string): Matcher {
  try {
    return compileArgoGlob(pattern)
  } catch (error) {
    if (!(error instanceof InvalidInputError)) throw error
    return () => false
  }
}
