import { Gathering } from '@wadi/concurrency/gathering.ts'
import type { ResourceStore } from '@wadi/resources/store/resource-store.ts'
import type { FollowedPolicies } from '../gates/cluster/cluster-policies.ts'
import { type OperatorSettings, readOperatorSettings } from '../operator-settings.ts'
import { type ControlPlaneVersions, readControlPlaneVersions } from './report/failure-inputs.ts'

/** The operator's objects, as a run finds them when it begins. */
interface OperatorView {
  settings: OperatorSettings
  control: ControlPlaneVersions
}

/** Reads what operators decide; runs that begin together share the reading, which begins after each of them asked. */
export type OperatorViews = (signal: AbortSignal) => Promise<OperatorView>

const gatherMs = 2
const maxRunsTogether = 1_000

/**
 * @param yieldsToArgoCd true to leave Applications to Argo CD's own hydrator where that is on
 * @param clusterPolicies undefined if nobody follows them
 */
export function operatorViews(
  store: ResourceStore,
  yieldsToArgoCd: boolean,
  clusterPolicies?: FollowedPolicies,
): OperatorViews {
  const views = new Gathering<undefined, OperatorView>({
    label: "reading the operator's settings",
    milliseconds: gatherMs,
    most: maxRunsTogether,
    answer: async (runs) => {
      const [settings, control] = await Promise.all([
        readOperatorSettings(store, yieldsToArgoCd, clusterPolicies),
        readControlPlaneVersions(store),
      ])
      return runs.map(() => ({ settings, control }))
    },
  })
  return (signal) => views.ask('', undefined, signal)
}
