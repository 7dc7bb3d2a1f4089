import type { JsonObject } from '@bufbuild/protobuf'
import { t } from '../../language/t.ts'

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
    title: t('Dry source'),
    fields: [
      {
        name: 'repoUrl',
        label: t('Repository'),
        description: t('URL of the git repository with the dry configuration'),
        placeholder: 'https://git.example.com/deploy.git',
      },
      {
        name: 'path',
        label: t('Path'),
        description: t('Directory of a chart, a kustomization or manifests'),
        placeholder: 'apps/web',
      },
      { name: 'revision', label: t('Revision'), description: t('Branch, tag or commit') },
    ],
  },
  {
    title: t('Hydrated manifests'),
    fields: [
      {
        name: 'branch',
        label: t('Target branch'),
        description: t('Branch that the plain manifests are written to'),
        placeholder: 'environments/prod',
      },
      {
        name: 'name',
        label: t('Name'),
        description: t('Also the directory on the target branch'),
        placeholder: 'shop-web',
      },
      { name: 'project', label: t('Project'), description: t('AppProject that permits it') },
    ],
  },
  {
    title: t('Destination'),
    fields: [
      { name: 'server', label: t('Cluster'), description: t('Address of the API of the cluster') },
      { name: 'namespace', label: t('Namespace'), description: t('Namespace of the manifests') },
    ],
  },
]

/** Returns the errors of the fields, by field; the server checks everything else. */
export function newApplicationErrors(values: NewApplication): Partial<Record<keyof NewApplication, string>> {
  const errors: Partial<Record<keyof NewApplication, string>> = {}
  for (const { name, label } of newApplicationFields.flatMap(({ fields }) => fields)) {
    if (values[name].trim() === '') errors[name] = t('{field} is required', { field: label })
  }
  if (values.name !== '' && !/^[a-z0-9](?:[a-z0-9.-]{0,251}[a-z0-9])?$/.test(values.name))
    errors.name = t('Use small letters, digits, dots and hyphens')
  if (values.branch !== '' && values.branch === values.revision)
    errors.branch = t('Manifests need another branch than the dry configuration')
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
