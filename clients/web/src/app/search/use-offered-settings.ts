import { useRight } from '../../server/rights.ts'
import { type Hit, settingsKey } from './hits.ts'

/** Returns what tells whether the caller may open a page: parts of the settings are for some alone. */
export function useOfferedSettings(): (hit: Hit) => boolean {
  const mayReadPolicy = useRight('settings', 'get', 'ConfigMap/argocd-rbac-cm')
  const mayReadChecks = useRight('settings', 'get', 'ConfigMap/argocd-cm')
  const offered = new Map([
    [settingsKey('policy'), mayReadPolicy],
    [settingsKey('checks'), mayReadChecks],
  ])
  return ({ key }) => offered.get(key) ?? true
}
