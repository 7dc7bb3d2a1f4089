import { commonSettings } from '@wadi/rpc/common-settings.ts'
import { defineSettings, type SettingsOf } from '@wadi/rpc/service-settings.ts'
import { containmentSettings } from '@wadi/rpc/containment-settings.ts'
import { reuseSettings } from '@wadi/rpc/reuse-settings.ts'
import { renderSettings, toolSettings } from '@wadi/rpc/render-settings.ts'
import { repositorySettings } from '@wadi/repositories/repository-service-settings.ts'

/** The settings of repo-server, with those of every service that has copies of repositories. */
export const repoServerSettings = defineSettings({
  ...commonSettings,
  listen: { ...commonSettings.listen, default: '127.0.0.1:8081' },
  ...repositorySettings,
  parallelism: {
    type: 'int',
    flag: 'parallelism',
    env: 'WADI_RENDER_PARALLELISM',
    default: '0',
    description: 'Number of renderers that run at a time; 0 means one per core.',
  },
  renderers: {
    type: 'choice',
    choices: ['fast', 'tools'],
    flag: 'renderers',
    env: 'WADI_RENDERERS',
    default: 'fast',
    description:
      'What renders: fast renders within the service what was found equal to the tool, tools runs the tool for every render.',
  },
  compareEvery: {
    type: 'int',
    flag: 'compare-every',
    env: 'WADI_COMPARE_EVERY',
    default: '100',
    description:
      'Of the fast renders of one chart, every n-th is also made by the tool and compared, beside the first and all of repositories with determinism: strict.',
  },
  ...reuseSettings,
  ...renderSettings,
  ...toolSettings,
  ...containmentSettings,
  renderCacheSize: {
    type: 'bytes',
    flag: 'render-cache-size',
    env: 'WADI_RENDER_CACHE_SIZE',
    default: '2GiB',
    description:
      'Maximum size on disk of the cache of rendered sources; the least recently used are removed first.',
  },
  chartCacheSize: {
    type: 'bytes',
    flag: 'chart-cache-size',
    env: 'WADI_CHART_CACHE_SIZE',
    default: '1GiB',
    description:
      'Maximum size on disk of the archives of charts from Helm repositories and OCI registries; the least recently used are removed first.',
  },
  revisionCacheTime: {
    type: 'duration',
    flag: 'revision-cache-time',
    env: 'WADI_REVISION_CACHE_TIME',
    default: '10s',
    description:
      'How long answers about a repository are cached for callers that do not ask for a fresh one.',
  },
  pluginSockets: {
    type: 'string',
    flag: 'plugin-sockets',
    env: 'WADI_PLUGIN_SOCKETS',
    default: '/home/argocd/cmp-server/plugins',
    description: "Directory with the sockets of plugins, including Argo CD's sidecars; it may be missing.",
  },
  pluginVariables: {
    type: 'string',
    flag: 'plugin-variables',
    env: 'WADI_PLUGIN_VARIABLES',
    default: '',
    description:
      'Variables that plugins receive although the dry commit does not determine them, as plugin=VARIABLE,VARIABLE;plugin=VARIABLE: ARGOCD_APP_NAME, ARGOCD_APP_NAMESPACE, ARGOCD_APP_PROJECT_NAME, and with a value KUBE_VERSION=1.34.0 and KUBE_API_VERSIONS=v1,apps/v1.',
  },
  requiredPlugins: {
    type: 'list',
    flag: 'required-plugins',
    env: 'WADI_REQUIRED_PLUGINS',
    default: '',
    description:
      'Plugins that must be available: until each was seen, no source is rendered by another renderer by default.',
  },
  cmpServers: {
    type: 'urlList',
    flag: 'cmp-servers',
    env: 'WADI_CMP_SERVERS',
    default: '',
    description: 'Addresses of further cmp-servers of Wadi, one for each plugin.',
  },
  validators: {
    type: 'string',
    flag: 'validators',
    env: 'WADI_VALIDATORS',
    default: '',
    description:
      'YAML file with the programs that judge objects where wadi.gates in argocd-cm names them; read at the start.',
  },
  commandServer: {
    type: 'urlList',
    flag: 'command-server',
    env: 'WADI_COMMAND_SERVER',
    default: '',
    description:
      'Address of the cmp-server, or of its replicas, that runs actions of packages and ytt; empty for none.',
  },
})

/** The settings, read. */
export type RepoServerSettings = SettingsOf<typeof repoServerSettings>
