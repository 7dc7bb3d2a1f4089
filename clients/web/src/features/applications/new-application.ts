import type { JsonObject } from '@bufbuild/protobuf'

/** The fields in the form of a new Application. */
export interface NewApplication {
  name: string
  project: string
  repoUrl: string
  path: string
  revision: string
  branch: string
  server: string
  namespace: string
}

/** The form before anything is filled in. */
export const emptyApplication: NewApplication = {
  name: '',
  project: 'default',
  repoUrl: '',
  path: '',
  revision: 'main',
  branch: '',
  server: 'https://kubernetes.default.svc',
  namespace: 'default',
}

interface Field {
  name: keyof NewApplication
  label: string
  description: string
  placeholder?: string
}

/** The fields by section, in the order in which they are filled in. */
export const newApplicationFields: readonly { title: string; fields: readonly Field[] }[] = [
  {
    title: 'Dry source',
    fields: [
      {
        name: 'repoUrl',
        label: 'Repository',
        description: 'URL of the git repository with the dry configuration',
        placeholder: 'https://git.example.com/deploy.git',
      },
      {
        name: 'path',
        label: 'Path',
        description: 'Directory of a chart, a kustomization or manifests',
        placeholder: 'apps/web',
      },
      { name: 'revision', label: 'Revision', description: 'Branch, tag or commit' },
    ],
  },
  {
    title: 'Hydrated manifests',
    fields: [
      {
        name: 'branch',
        label: 'Target branch',
        description: 'Branch that the plain manifests are written to',
        placeholder: 'environments/prod',
      },
      {
        name: 'name',
        label: 'Name',
        description: 'Also the directory on the target branch',
        placeholder: 'web',
      },
      { name: 'project', label: 'Project', description: 'AppProject that permits it' },
    ],
  },
  {
    title: 'Destination',
    fields: [
      { name: 'server', label: 'Cluster', description: "Address of the cluster's API" },
      { name: 'namespace', label: 'Namespace', description: 'Namespace of the manifests' },
    ],
  },
]

/** Returns the errors of the fields, by field; the server checks everything else. */
export function newApplicationErrors(values: NewApplication): Partial<Record<keyof NewApplication, string>> {
  const errors: Partial<Record<keyof NewApplication, string>> = {}
  for (const { name, label } of newApplicationFields.flatMap(({ fields }) => fields)) {
    if (values[name].trim() === '') errors[name] = `${label} is required`
  }
  if (values.name !== '' && !/^[a-z0-9](?:[a-z0-9.-]{0,251}[a-z0-9])?$/.test(values.name))
    errors.name = 'Use small letters, digits, dots and hyphens'
  if (values.branch !== '' && values.branch === values.revision)
    errors.branch = 'Manifests need another branch than the dry configuration'
  return errors
}

/** The Application of a filled-in form. */
export function applicationOf(values: NewApplication): JsonObject {
  const { name, project, repoUrl, path, revision, branch, server, namespace } = values
  return {
    apiVersion: 'argoproj.io/v1alpha1',
    kind: 'Application',
    metadata: { name },
    spec: {
      project,
      sourceHydrator: {
        drySource: { repoURL: repoUrl, path, targetRevision: revision },
        syncSource: { targetBranch: branch, path: name },
      },
      destination: { server, namespace },
    },
  }
}
