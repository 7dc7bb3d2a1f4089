import type { JsonObject } from '@bufbuild/protobuf'

/** The parts of an Application that tests decide. */
export interface ApplicationFixture {
  name: string
  repoURL: string
  /** Directory of the dry source; defaults to the name. */
  path?: string
  /** Defaults to `main`. */
  revision?: string
  /** Further fields of `drySource`. */
  source?: JsonObject
  /** All sources, in the place of `drySource`. */
  sources?: JsonObject[]
  branch: string
  /** Defaults to the name. */
  syncPath?: string
  hydrateTo?: string
  /** Another repository for the hydrated branch. */
  destination?: string
  /** `destination.namespace`. */
  namespace?: string
  project?: string
  annotations?: Record<string, string>
}

/** An Application as a user writes it. */
export function applicationObject(application: ApplicationFixture): JsonObject {
  const { name, annotations = {}, namespace = '', hydrateTo, destination } = application
  return {
    apiVersion: 'argoproj.io/v1alpha1',
    kind: 'Application',
    metadata: { name, namespace: 'argocd', annotations },
    spec: {
      project: application.project ?? 'default',
      destination: { server: 'https://kubernetes.default.svc', namespace },
      sourceHydrator: {
        ...(application.sources
          ? { drySources: application.sources }
          : {
              drySource: {
                repoURL: application.repoURL,
                targetRevision: application.revision ?? 'main',
                path: application.path ?? name,
                ...application.source,
              },
            }),
        syncSource: {
          targetBranch: application.branch,
          path: application.syncPath ?? name,
          ...(destination !== undefined && { repoURL: destination }),
        },
        ...(hydrateTo !== undefined && { hydrateTo: { targetBranch: hydrateTo } }),
      },
    },
  }
}

/** An AppProject that permits everything that `spec` does not say otherwise. */
export function projectObject(
  name: string,
  spec: JsonObject = {},
  annotations: Record<string, string> = {},
): JsonObject {
  return {
    apiVersion: 'argoproj.io/v1alpha1',
    kind: 'AppProject',
    metadata: { name, namespace: 'argocd', annotations },
    spec: { sourceRepos: ['*'], destinations: [{ server: '*', namespace: '*' }], ...spec },
  }
}

/** A plain manifest of one ConfigMap. */
export function configMap(name: string, value: string): string {
  return `apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: ${name}\ndata:\n  value: ${JSON.stringify(value)}\n`
}
