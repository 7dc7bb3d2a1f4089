import { defineSettings, type SettingsOf } from '@wadi/rpc/service-settings.ts'

/** The setting of the store, files or a cluster, the same for all services of an installation. */
export const clusterSettings = defineSettings({
  store: {
    type: 'choice',
    flag: 'store',
    env: 'WADI_STORE',
    choices: ['sqlite', 'kubernetes'],
    default: 'sqlite',
    description:
      'Where objects and credentials are: in database files, or in the API server of a Kubernetes cluster.',
  },
  kubeconfig: {
    type: 'string',
    flag: 'kubeconfig',
    env: 'WADI_KUBECONFIG',
    description:
      'kubeconfig of the cluster, with the store kubernetes; default: the service account of the pod that the service runs in.',
  },
})

/** The settings of an installation's store of objects, the same for all services that read them. */
export const stateSettings = defineSettings({
  ...clusterSettings,
  stateFile: {
    type: 'string',
    flag: 'state-file',
    env: 'WADI_STATE_FILE',
    description: 'Database of the objects, with the store sqlite; default: state.db in the data directory.',
  },
  installation: {
    type: 'string',
    flag: 'installation',
    env: 'WADI_INSTALLATION',
    default: '',
    description:
      'Name of this installation among several that share namespaces of Applications, with the store kubernetes: it takes the Applications and ApplicationSets with the label wadi.dev/installation of this value; without a name those without the label.',
  },
  applicationNamespaces: {
    type: 'list',
    flag: 'application-namespaces',
    env: 'WADI_APPLICATION_NAMESPACES',
    default: '',
    description:
      "Namespaces of ApplicationSets and, with the store kubernetes, of Applications besides WADI_NAMESPACE: names, globs or /regular expressions/ as in Argo CD's application.namespaces.",
  },
})

/** The parsed settings of a cluster. */
export type ClusterSettings = SettingsOf<typeof clusterSettings>

/** The settings, read. */
export type StateSettings = SettingsOf<typeof stateSettings>
