import { urlPolicySettings } from '@wadi/repositories/repository-service-settings.ts'
import { commonSettings } from '@wadi/rpc/common-settings.ts'
import { peerSettings } from '@wadi/rpc/peer-settings.ts'
import { reuseSettings } from '@wadi/rpc/reuse-settings.ts'
import { defineSettings, type SettingsOf } from '@wadi/rpc/service-settings.ts'
import { stateSettings } from '@wadi/state/state-settings.ts'

/** The settings of appset-service. */
export const appsetServiceSettings = defineSettings({
  ...commonSettings,
  listen: { ...commonSettings.listen, default: '127.0.0.1:8087' },
  ...stateSettings,
  ...reuseSettings,
  repoServers: peerSettings.repoServers,
  replicas: {
    type: 'urlList',
    flag: 'appset-services',
    env: 'WADI_APPSET_SERVICES',
    default: '',
    description:
      'Addresses of all replicas of this service, this one included, which divide the ApplicationSets among themselves; empty: this process has all.',
  },
  maxApplications: {
    type: 'int',
    flag: 'max-applications',
    env: 'WADI_MAX_APPLICATIONS',
    default: '10000',
    description: 'Maximum number of Applications that one ApplicationSet may generate.',
  },
  generationTimeout: {
    type: 'duration',
    flag: 'generation-timeout',
    env: 'WADI_GENERATION_TIMEOUT',
    default: '120s',
    description: 'Time limit for generating the Applications of one ApplicationSet.',
  },
  pluginConfigMaps: {
    type: 'list',
    flag: 'appset-plugins',
    env: 'WADI_APPSET_PLUGINS',
    default: '',
    description:
      'Names of the ConfigMaps in the namespace argocd whose plugins the plugin generator may call; none by default.',
  },
  scmProviders: {
    type: 'boolean',
    flag: 'scm-providers',
    env: 'WADI_SCM_PROVIDERS',
    default: 'false',
    description:
      'Whether the generators scmProvider and pullRequest may call GitHub, GitLab, Gitea and Forgejo.',
  },
  scmAllowedApis: {
    type: 'list',
    flag: 'scm-allowed-apis',
    env: 'WADI_SCM_ALLOWED_APIS',
    default: '',
    description:
      'Addresses of the APIs that tokens of generators may be sent to, such as https://api.github.com; an API in a private network must be listed too. Empty: tokens are sent to none.',
  },
  deletionShare: {
    type: 'int',
    flag: 'deletion-share',
    env: 'WADI_APPSET_DELETION_SHARE',
    default: '50',
    description:
      'Percentage of the Applications of an ApplicationSet that may be deleted at once without confirmation.',
  },
  deletionCount: {
    type: 'int',
    flag: 'deletion-count',
    env: 'WADI_APPSET_DELETION_COUNT',
    default: '5',
    description:
      'Number of Applications of an ApplicationSet that may be deleted at once without confirmation, whatever their share.',
  },
  ...urlPolicySettings,
})

/** The settings, read. */
export type AppsetServiceSettings = SettingsOf<typeof appsetServiceSettings>
