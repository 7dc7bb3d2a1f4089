import { commonSettings } from '@wadi/rpc/common-settings.ts'
import { peerSettings } from '@wadi/rpc/peer-settings.ts'
import { reuseSettings } from '@wadi/rpc/reuse-settings.ts'
import { defineSettings, type SettingsOf } from '@wadi/rpc/service-settings.ts'
import { stateSettings } from '@wadi/state/state-settings.ts'

/** The settings of the hydrator. */
export const hydratorSettings = defineSettings({
  ...commonSettings,
  listen: { ...commonSettings.listen, default: '127.0.0.1:8085' },
  ...stateSettings,
  redis: {
    type: 'string',
    env: 'WADI_REDIS_URL',
    secret: true,
    description:
      'Redis for the queue, redis://[:password@]host:port, rediss:// with TLS, redis-sentinel://host:port,host:port#name or redis-cluster://host:port,host:port; without it the queue is in this process.',
  },
  redisPrefix: {
    type: 'string',
    flag: 'redis-prefix',
    env: 'WADI_REDIS_PREFIX',
    default: 'wadi',
    description: 'Begins every key in Redis, the same for all hydrators.',
  },
  ...peerSettings,
  ...reuseSettings,
  writeStatus: {
    type: 'choice',
    flag: 'write-status',
    env: 'WADI_WRITE_STATUS',
    choices: ['auto', 'always', 'never'],
    default: 'auto',
    description:
      "Whether each run is written into status.sourceHydrator of its Applications, for kubectl and Argo CD's pages. auto: with the store kubernetes, and Applications are left to Argo CD's own hydrator where that is on; always: in both stores, also beside Argo CD's hydrator; never: only the spec that was hydrated.",
  },
  clusterPolicies: {
    type: 'boolean',
    flag: 'cluster-policies',
    env: 'WADI_CLUSTER_POLICIES',
    default: 'false',
    description:
      'Whether the admission policies of the cluster are followed for the gate cluster-policies, with the store kubernetes. The account then needs to list and watch them, their bindings, CustomResourceDefinitions and Namespaces.',
  },
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
    description: 'Number of hydrated branches that this process has rendered at a time.',
  },
  projectWeights: {
    type: 'string',
    flag: 'project-weights',
    env: 'WADI_PROJECT_WEIGHTS',
    default: '',
    description:
      'Shares of projects whose branches wait, such as shop=3,infra=2, from 1 to 12; others have 1. Branches are hydrated by turns of projects, and of repositories within one.',
  },
})

/** The settings, read. */
export type HydratorSettings = SettingsOf<typeof hydratorSettings>
