import { commonSettings } from '@wadi/rpc/common-settings.ts'
import { defineSettings, type SettingsOf } from '@wadi/rpc/service-settings.ts'

/** The settings of the API gateway. */
export const apiGatewaySettings = defineSettings({
  ...commonSettings,
  listen: { ...commonSettings.listen, default: '127.0.0.1:8080' },
  maxMessageSize: { ...commonSettings.maxMessageSize, default: '128MiB' },
  stateFile: {
    type: 'string',
    flag: 'state-file',
    env: 'WADI_STATE_FILE',
    description: 'Database with the objects; default: state.db in the data directory.',
  },
  adminToken: {
    type: 'string',
    env: 'WADI_ADMIN_TOKEN',
    secret: true,
    description:
      'Token of the administrator, at least 32 characters; default: admin.token in the data directory, made when there is none.',
  },
  hydrators: {
    type: 'urlList',
    flag: 'hydrators',
    env: 'WADI_HYDRATORS',
    default: 'http://127.0.0.1:8085',
    description: 'Addresses of the hydrators.',
  },
  repoServers: {
    type: 'urlList',
    flag: 'repo-servers',
    env: 'WADI_REPO_SERVERS',
    default: 'http://127.0.0.1:8081',
    description: 'Addresses of the repo-servers.',
  },
  commitServers: {
    type: 'urlList',
    flag: 'commit-servers',
    env: 'WADI_COMMIT_SERVERS',
    default: 'http://127.0.0.1:8086',
    description: 'Addresses of the commit-servers.',
  },
  appsetServices: {
    type: 'urlList',
    flag: 'appset-services',
    env: 'WADI_APPSET_SERVICES',
    default: 'http://127.0.0.1:8087',
    description: 'Addresses of the appset-services; without one, what concerns ApplicationSets is refused.',
  },
})

/** The settings, read. */
export type ApiGatewaySettings = SettingsOf<typeof apiGatewaySettings>
