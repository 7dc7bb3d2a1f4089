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
      'File with the key that authenticates services to each other; created if it is missing, but not in a pod; the same for all.',
  },
  serviceIdentity: {
    type: 'choice',
    flag: 'service-identity',
    env: 'WADI_SERVICE_IDENTITY',
    choices: ['key', 'accounts'],
    default: 'key',
    description:
      'How services know each other: by the key, or, in a cluster, by tokens of their ServiceAccounts; then the key is for plugins and signatures alone.',
  },
  serviceTokensDirectory: {
    type: 'string',
    flag: 'service-tokens-dir',
    env: 'WADI_SERVICE_TOKENS_DIR',
    default: '/var/run/secrets/wadi',
    description:
      'Directory with a token for each service that this one calls, in a file of its name, for the audience wadi-<service>; with the identity accounts.',
  },
  serviceAccounts: {
    type: 'list',
    flag: 'service-accounts',
    env: 'WADI_SERVICE_ACCOUNTS',
    default: '',
    description:
      'ServiceAccounts that may call, each namespace/account=service; default: wadi-<service> in WADI_NAMESPACE.',
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
  otlpEndpoint: {
    type: 'string',
    flag: 'otlp-endpoint',
    env: 'OTEL_EXPORTER_OTLP_ENDPOINT',
    default: '',
    description:
      'Base URL of a receiver of OpenTelemetry traces over HTTP, such as http://collector:4318; empty: none are recorded.',
  },
  otlpHeaders: {
    type: 'string',
    env: 'OTEL_EXPORTER_OTLP_HEADERS',
    secret: true,
    description: 'Headers for the receiver of traces: name=value pairs separated by commas.',
  },
  otlpResourceAttributes: {
    type: 'string',
    flag: 'otlp-resource-attributes',
    env: 'OTEL_RESOURCE_ATTRIBUTES',
    default: '',
    description: 'Attributes of every trace: name=value pairs separated by commas.',
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
