import { commonSettings } from '@wadi/rpc/common-settings.ts'
import { defineSettings, type SettingsOf } from '@wadi/rpc/service-settings.ts'

/** The settings of appset-service. */
export const appsetServiceSettings = defineSettings({
  ...commonSettings,
  listen: { ...commonSettings.listen, default: '127.0.0.1:8087' },
  stateFile: {
    type: 'string',
    flag: 'state-file',
    env: 'WADI_STATE_FILE',
    description: 'Database with the objects; default: state.db in the data directory.',
  },
  repoServers: {
    type: 'urlList',
    flag: 'repo-servers',
    env: 'WADI_REPO_SERVERS',
    default: 'http://127.0.0.1:8081',
    description: 'Addresses of the repo-servers that read repositories for generators.',
  },
  maxApplications: {
    type: 'int',
    flag: 'max-applications',
    env: 'WADI_MAX_APPLICATIONS',
    default: '10000',
    description: 'Most Applications that one ApplicationSet may generate.',
  },
  generationTimeout: {
    type: 'duration',
    flag: 'generation-timeout',
    env: 'WADI_GENERATION_TIMEOUT',
    default: '120s',
    description: 'Longest time that one ApplicationSet may take to generate its Applications.',
  },
})

/** The settings, read. */
export type AppsetServiceSettings = SettingsOf<typeof appsetServiceSettings>
