import type { JsonObject } from '@bufbuild/protobuf'

const repoURL = 'https://git.example.com/deploy.git'

/** An ApplicationSet of the tests as it is stored; `spec` replaces fields of its own. */
export function sampleApplicationSet(
  name: string,
  spec: JsonObject = {},
  status: JsonObject = {},
): JsonObject {
  return {
    apiVersion: 'argoproj.io/v1alpha1',
    kind: 'ApplicationSet',
    metadata: { name, namespace: 'argocd', uid: `uid-${name}`, resourceVersion: '7' },
    spec: {
      generators: [{ list: { elements: [{ cluster: 'dev' }] } }],
      template: {
        metadata: { name: '{{cluster}}-guestbook' },
        spec: {
          project: 'default',
          destination: { server: '{{cluster.address}}', namespace: 'guestbook' },
          source: { repoURL, targetRevision: 'HEAD', path: '{{path}}' },
        },
      },
      ...spec,
    },
    status,
  }
}

/** The status that appset-service writes after a generation without an error. */
export const upToDateStatus: JsonObject = {
  conditions: [
    ['ErrorOccurred', 'False', 'All applications have been generated successfully'],
    ['ParametersGenerated', 'True', 'Successfully generated parameters for all Applications'],
    ['ResourcesUpToDate', 'True', 'All applications have been generated successfully'],
  ].map(([type = '', status = '', message = '']) => condition(type, status, message)),
  health: { status: 'Healthy' },
  resources: [{ kind: 'Application', name: 'dev-guestbook' }],
  resourcesCount: 1,
}

/** A condition of a status. */
export function condition(type: string, status: string, message: string): JsonObject {
  return { type, status, message, reason: type, lastTransitionTime: '2026-08-22T19:54:34Z' }
}

/** A set as a user writes it. */
export function applicationSetText(name: string, kind = 'ApplicationSet'): string {
  return `apiVersion: argoproj.io/v1alpha1
kind: ${kind}
metadata:
  name: ${name}
spec:
  generators: []
`
}
