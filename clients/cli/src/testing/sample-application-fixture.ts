import type { JsonObject } from '@bufbuild/protobuf'

/** An Application of the tests: its name, how far it is and when that operation began. */
export function sampleApplication(
  name: string,
  state: {
    phase: 'Hydrated' | 'Hydrating' | 'Failed'
    dry: string
    startedAt?: string
    message?: string
    /** True if a requested hydration has not ended. */
    pending?: boolean
    /** Somebody else's change to the hydrated branch. */
    foreignChange?: string
  },
): JsonObject {
  const sourceHydrator = {
    drySource: {
      repoURL: 'https://git.example.com/deploy.git',
      targetRevision: 'main',
      path: 'apps/guestbook',
    },
    syncSource: { targetBranch: 'environments/prod', path: 'guestbook' },
    hydrateTo: { targetBranch: 'environments/prod-next' },
  }
  const drySHA = state.dry.repeat(40)
  return {
    apiVersion: 'argoproj.io/v1alpha1',
    kind: 'Application',
    metadata: {
      name,
      namespace: 'argocd',
      resourceVersion: '7',
      ...(state.pending && { annotations: { 'argocd.argoproj.io/hydrate': 'normal' } }),
    },
    spec: {
      project: 'default',
      destination: { server: 'https://kubernetes.default.svc', namespace: 'guestbook' },
      sourceHydrator,
    },
    status: {
      sourceHydrator: {
        currentOperation: {
          phase: state.phase,
          message: state.message ?? '',
          startedAt: state.startedAt ?? '2026-08-20T10:00:00Z',
          drySHA,
          sourceHydrator,
        },
        lastSuccessfulOperation: { drySHA, hydratedSHA: 'a'.repeat(40), sourceHydrator },
        lastComparedDryRevision: drySHA,
        warnings: ['helm options are not in git'],
        ...(state.foreignChange !== undefined && { foreignChange: { message: state.foreignChange } }),
      },
    },
  }
}
