import { urlPolicySettings } from '@wadi/repositories/repository-service-settings.ts'
import { commonSettings } from '@wadi/rpc/common-settings.ts'
import { peerSettings } from '@wadi/rpc/peer-settings.ts'
import { defineSettings, type SettingsOf } from '@wadi/rpc/service-settings.ts'
import { stateSettings } from '@wadi/state/state-settings.ts'

/** The settings of the API gateway. */
export const apiGatewaySettings = defineSettings({
  ...commonSettings,
  listen: { ...commonSettings.listen, default: '127.0.0.1:8080' },
  maxMessageSize: { ...commonSettings.maxMessageSize, default: '128MiB' },
  ...stateSettings,
  adminToken: {
    type: 'string',
    env: 'WADI_ADMIN_TOKEN',
    secret: true,
    description:
      'Token of the administrator, at least 32 characters; default: admin.token in the data directory, created if it is missing.',
  },
  sessionTokenLifetime: {
    type: 'duration',
    flag: 'session-token-lifetime',
    env: 'WADI_SESSION_TOKEN_LIFETIME',
    default: '1h',
    description:
      'How long the token of a session is valid, at most a day; clients that read the header renew-token get the next one in time.',
  },
  auditFile: {
    type: 'string',
    flag: 'audit-file',
    env: 'WADI_AUDIT_FILE',
    description: 'File to append the audit log to, one JSON object per line; default: standard error.',
  },
  consoleDirectory: {
    type: 'string',
    flag: 'console-dir',
    env: 'WADI_CONSOLE_DIR',
    description: 'Directory of the built web console; default: clients/web/dist beside the services.',
  },
  callsPerAccount: {
    type: 'int',
    flag: 'calls-per-account',
    env: 'WADI_CALLS_PER_ACCOUNT',
    default: '6000',
    description:
      "Maximum number of calls per minute of one account; 0 for no limit. The operator's token has no limit.",
  },
  callsPerAddress: {
    type: 'int',
    flag: 'calls-per-address',
    env: 'WADI_CALLS_PER_ADDRESS',
    default: '600',
    description:
      'Maximum number of calls per minute without sign-in from one address, where a sign-in uses ten; 0 for no limit.',
  },
  keepAliveTimeout: {
    type: 'duration',
    flag: 'keep-alive-timeout',
    env: 'WADI_KEEP_ALIVE_TIMEOUT',
    default: '75s',
    description:
      'Time that an HTTP/1.1 connection stays open between two requests; must be longer than proxies in front keep theirs, else they answer 502.',
  },
  idleGrace: {
    type: 'duration',
    flag: 'idle-grace',
    env: 'WADI_IDLE_GRACE',
    default: '3s',
    description:
      'Time that idle connections stay open after SIGTERM, for requests that are already on their way; at most half of --drain-timeout.',
  },
  trustedProxies: {
    type: 'int',
    flag: 'trusted-proxies',
    env: 'WADI_TRUSTED_PROXIES',
    default: '0',
    description:
      'Number of proxies in front of the gateway that add the address of their peer to X-Forwarded-For.',
  },
  crossOrigins: {
    type: 'list',
    flag: 'cross-origins',
    env: 'WADI_CROSS_ORIGINS',
    default: '',
    description:
      'Origins whose pages may call the API from a browser, for example https://portal.example.com.',
  },
  hydrators: {
    type: 'urlList',
    flag: 'hydrators',
    env: 'WADI_HYDRATORS',
    default: 'http://127.0.0.1:8085',
    description: 'Addresses of the hydrators.',
  },
  redis: {
    type: 'string',
    env: 'WADI_REDIS_URL',
    secret: true,
    description:
      'Redis where several gateways count calls and failed sign-ins together, redis://[:password@]host:port, rediss:// with TLS, redis-sentinel://host:port,host:port#name or redis-cluster://host:port,host:port; without it each has counts of its own.',
  },
  ...peerSettings,
  appsetServices: {
    type: 'urlList',
    flag: 'appset-services',
    env: 'WADI_APPSET_SERVICES',
    default: 'http://127.0.0.1:8087',
    description:
      'Addresses of the appset-services; without one, requests about ApplicationSets are rejected.',
  },
  ...urlPolicySettings,
})

/** The settings, read. */
export type ApiGatewaySettings = SettingsOf<typeof apiGatewaySettings>
