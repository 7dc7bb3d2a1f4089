import { withoutUserInfo } from '@wadi/errors/redaction.ts'
import { pino } from 'pino'
import type { Logger as PinoLogger } from 'pino'
import { currentTraceId } from './trace.ts'

/** A structured logger: `logger.info({ key: value }, 'message')`; `child` adds keys to every line. */
export type Logger = PinoLogger

/** Log levels, most severe first: `error` needs an operator, `warn` may, `info` is rare and useful, `debug` is the rest. */
export const logLevels = ['error', 'warn', 'info', 'debug'] as const

/** `json` for machines: one object a line; `text` for people. */
export const logFormats = ['json', 'text'] as const

/** The options of `createLogger`. */
export type LoggerOptions = {
  /** Name of the service, in every line. */
  service: string
  /** Least severe level that is written. */
  level: (typeof logLevels)[number]
  format: (typeof logFormats)[number]
  /** Takes each finished line, line feed included. Default: standard error. */
  write?: (line: string) => void
}

const secretNames = [
  'accessToken',
  'apiKey',
  'authorization',
  'bearerToken',
  'clientSecret',
  'cookie',
  'githubAppPrivateKey',
  'password',
  'privateKey',
  'refreshToken',
  'secret',
  'sshPrivateKey',
  'tlsClientCertKey',
  'token',
]

// pino takes exact depths; secrets deeper than this do not occur in what services log.
const secretPaths = secretNames.flatMap((name) => [name, `*.${name}`, `*.*.${name}`, `*.*.*.${name}`])

/**
 * Creates the logger of one service. Every line carries time, level, service and, inside a trace, `traceId`.
 * Values under the names of secrets and the user part of URLs are replaced by `[redacted]`.
 */
export function createLogger(options: LoggerOptions): Logger {
  const write = options.write ?? ((line: string) => process.stderr.write(line))
  const format = options.format === 'text' ? readableLine : (line: string) => line
  return pino(
    {
      level: options.level,
      base: { service: options.service },
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      mixin: () => {
        const traceId = currentTraceId()
        return traceId === undefined ? {} : { traceId }
      },
      redact: { paths: secretPaths, censor: '[redacted]' },
      serializers: { err: pino.stdSerializers.errWithCause, cause: pino.stdSerializers.errWithCause },
    },
    { write: (line) => write(format(withoutUserInfo(line, '[redacted]@'))) },
  )
}

/** More lines say little that the first of them do not. */
const maxKeptLines = 300
const maxKeptLength = 2_000

/** Keeps the last lines of a log in memory, for those who cannot read where it is written. */
export function keptLines(): { keep: (line: string) => void; recentLines: () => string[] } {
  const lines: string[] = []
  return {
    keep: (line) => {
      lines.push(line.slice(0, maxKeptLength).trimEnd())
      if (lines.length > maxKeptLines) lines.shift()
    },
    recentLines: () => [...lines],
  }
}

function readableLine(line: string): string {
  const entry: Record<string, unknown> = JSON.parse(line)
  const { time, level, service, msg, ...rest } = entry
  const details = Object.entries(rest).map(([key, value]) => `${key}=${readableValue(value)}`)
  const message = typeof msg === 'string' ? [escaped(msg)] : []
  const words = [String(time), String(level).toUpperCase().padEnd(5), String(service), ...message, ...details]
  return `${words.join(' ')}\n`
}

// Control characters are escaped as in JSON, so that hostile text cannot forge a line or move the cursor.
function escaped(text: string): string {
  return JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"')
}

function readableValue(value: unknown): string {
  return typeof value === 'string' && /^[\w.:/@+-]+$/.test(value) ? value : JSON.stringify(value)
}
