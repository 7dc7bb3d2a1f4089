import { byKey } from '@wadi/order/by-name.ts'
import { type GrantedName, grantedNames } from '@wadi/plugins/variables/granted-variables.ts'
import type { RenderSource } from '../../source/source.ts'
import type { Plugin } from './plugins.ts'

/**
 * The variables of an Application and its cluster that a plugin receives, sorted by name: those that its operator grants.
 * When a render is repeated, the recorded ones apply instead.
 */
export function reportedVariables(
  plugin: Pick<Plugin, 'variables'>,
  { instance, destinationNamespace }: Pick<RenderSource, 'instance' | 'destinationNamespace'>,
): ReadonlyMap<string, string> {
  const { name, project, recorded } = instance
  if (recorded !== undefined) return sorted(grantedNames.flatMap((known) => pair(known, recorded[known])))
  const own: Partial<Record<GrantedName, string>> = {
    ARGOCD_APP_NAME: name,
    ARGOCD_APP_NAMESPACE: destinationNamespace,
    ARGOCD_APP_PROJECT_NAME: project,
  }
  return sorted([...plugin.variables].flatMap(([known, fixed]) => pair(known, own[known] ?? fixed)))
}

function pair(name: string, value: string | undefined): [string, string][] {
  return value === undefined ? [] : [[name, value]]
}

function sorted(pairs: readonly [string, string][]): ReadonlyMap<string, string> {
  return new Map(pairs.toSorted(byKey))
}
