import { commonSettings } from '@wadi/rpc/common-settings.ts'
import { peerSettings } from '@wadi/rpc/peer-settings.ts'
import { defineSettings, type SettingsOf } from '@wadi/rpc/service-settings.ts'

/** The settings of the hydrator. */
export const hydratorSettings = defineSettings({
  ...commonSettings,
  listen: { ...commonSettings.listen, default: '127.0.0.1:8085' },
  stateFile: {
    type: 'string',
    flag: 'state-file',
    env: 'WADI_STATE_FILE',
    description: 'Database of the objects; default: state.db in the data directory.',
  },
  redis: {
    type: 'string',
    env: 'WADI_REDIS_URL',
    secret: true,
    description:
      'Redis for the queue, redis://[:password@]host:port; without it the queue is in this process.',
  },
  ...peerSettings,
  pollInterval: {
    type: 'duration',
    flag: 'poll-interval',
    env: 'WADI_POLL_INTERVAL',
    default: '120s',
    description: 'Time between two polls of each repository, dry and hydrated.',
  },
  concurrency: {
    type: 'int',
    flag: 'concurrency',
    env: 'WADI_HYDRATION_CONCURRENCY',
    default: '5',
    description: 'Number of hydrated branches that this process hydrates at a time.',
  },
})

/** The settings, read. */
export type HydratorSettings = SettingsOf<typeof hydratorSettings>
