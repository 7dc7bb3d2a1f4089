import { unsupported } from './unsupported.ts'

const hydrate =
  'Wadi applies nothing to clusters. `wadi app hydrate NAME` (or `argocd app get NAME --refresh`) brings the hydrated branch up to date; whatever deploys from that branch applies it'

const noCluster = unsupported(
  'Wadi reads no cluster, so it knows no live objects. `argocd app manifests NAME` shows what is on the hydrated branch (--source live) and what the dry source renders to',
)

const noActions = unsupported(
  'Wadi reads no cluster, so there are no actions on live objects; use kubectl or what deploys from the hydrated branch',
)

const noLinks = unsupported('Wadi has no links of Applications')

const noSourceDetails = unsupported(
  'Wadi does not return single revisions here; `wadi app history NAME` lists the hydrated commits with their dry commits',
)

/** The methods of Argo CD's ApplicationService that have no meaning in Wadi. */
export const unsupportedOfApplications = {
  sync: unsupported(hydrate),
  rollback: unsupported(
    'Wadi applies nothing to clusters. To go back, revert the commit in the dry repository; `wadi app history NAME` shows which dry commit each hydrated commit holds',
  ),
  terminateOperation: unsupported(
    'Wadi applies nothing, so there is no operation to end; a hydration ends within its time limits',
  ),
  patch: unsupported(
    'Applications are not patched: use `argocd app set NAME`, `argocd app edit NAME` or `wadi apply -f FILE`',
  ),
  serverSideDiff: unsupported(
    'Wadi reads no cluster, so it cannot ask one for differences: use `argocd app diff NAME` without --server-side-diff',
  ),
  getManifestsWithFiles: unsupported(
    'Wadi accepts no directories from argocd: use `wadi app diff NAME --local DIRECTORY`, which renders on your machine as the hydrator does',
  ),
  resourceTree: noCluster,
  watchResourceTree: noCluster,
  getResource: noCluster,
  listResourceEvents: noCluster,
  patchResource: noActions,
  deleteResource: noActions,
  listResourceActions: noActions,
  runResourceAction: noActions,
  runResourceActionV2: noActions,
  podLogs: unsupported('Wadi reads no cluster, so it has no logs of pods; use `kubectl logs`'),
  listLinks: noLinks,
  listResourceLinks: noLinks,
  getApplicationSyncWindows: unsupported(
    'Wadi deploys nothing, so sync windows have no effect; `argocd proj windows list PROJECT` shows those that are written in the project',
  ),
  revisionMetadata: noSourceDetails,
  revisionChartDetails: noSourceDetails,
  getOCIMetadata: noSourceDetails,
}
