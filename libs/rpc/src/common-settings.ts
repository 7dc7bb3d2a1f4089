import { logFormats, logLevels } from '@wadi/telemetry/logger.ts'
import { defineSettings } from './service-settings.ts'

/** The settings that all services share; a service spreads them and gives `listen` its own default. */
export const commonSettings = defineSettings({
  listen: {
    type: 'string',
    flag: 'listen',
    env: 'WADI_LISTEN',
    default: '127.0.0.1:0',
    description: 'Address to serve on: host:port, where port 0 picks a free one, or unix:/path.',
  },
  metricsListen: {
    type: 'string',
    flag: 'metrics-listen',
    env: 'WADI_METRICS_LISTEN',
    default: '',
    description:
      'Address to serve /metrics on, such as 127.0.0.1:9090 or unix:/path; empty: not served. Anyone who can reach it can read it.',
  },
  dataDirectory: {
    type: 'string',
    flag: 'data-dir',
    env: 'WADI_DATA_DIR',
    default: '.wadi',
    description: 'Directory for everything that the service keeps on disk.',
  },
  serviceKeyFile: {
    type: 'string',
    flag: 'service-key-file',
    env: 'WADI_SERVICE_KEY_FILE',
    default: '.wadi/service.key',
    description:
      'File with the key that authenticates services to each other; created if it is missing, the same file for all.',
  },
  tlsCertFile: {
    type: 'string',
    flag: 'tls-cert-file',
    env: 'WADI_TLS_CERT_FILE',
    description: 'PEM certificate chain; if set, the service speaks TLS.',
  },
  tlsKeyFile: {
    type: 'string',
    flag: 'tls-key-file',
    env: 'WADI_TLS_KEY_FILE',
    description: 'PEM private key of the certificate.',
  },
  tlsCaFile: {
    type: 'string',
    flag: 'tls-ca-file',
    env: 'WADI_TLS_CA_FILE',
    description: 'PEM certificates of the authority that signs the certificates of services.',
  },
  logLevel: {
    type: 'choice',
    flag: 'log-level',
    env: 'WADI_LOG_LEVEL',
    choices: logLevels,
    default: 'info',
    description: 'Least severe level that is logged.',
  },
  logFormat: {
    type: 'choice',
    flag: 'log-format',
    env: 'WADI_LOG_FORMAT',
    choices: logFormats,
    default: 'json',
    description: 'Format of the log: one JSON object per line, or text for people.',
  },
  drainTimeout: {
    type: 'duration',
    flag: 'drain-timeout',
    env: 'WADI_DRAIN_TIMEOUT',
    default: '20s',
    description: 'Time that calls in progress have to end after SIGTERM.',
  },
  maxMessageSize: {
    type: 'bytes',
    flag: 'max-message-size',
    env: 'WADI_MAX_MESSAGE_SIZE',
    default: '16MiB',
    description: 'Maximum size of a message that is sent or accepted.',
  },
})
