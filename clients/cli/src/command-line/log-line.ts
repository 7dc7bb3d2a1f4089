import { withoutUserInfo } from '@wadi/errors/redaction.ts'
import { printable } from '../output/printable.ts'

/** The formats of log lines: argocd's text lines or its JSON objects. */
export const logFormats = ['text', 'json'] as const

/** The format of log lines. */
export type LogFormat = (typeof logFormats)[number]

/** Levels by severity, in argocd's spelling. */
export const logLevels = ['debug', 'info', 'warn', 'error'] as const

/** The least severe level that is written; failures always are. */
export type LogLevel = (typeof logLevels)[number]

type LineLevel = 'debug' | 'info' | 'warning' | 'fatal'

const severity: Record<LineLevel | LogLevel, number> = {
  debug: 0,
  info: 1,
  warn: 2,
  warning: 2,
  error: 3,
  fatal: 4,
}
const textLabel: Record<LineLevel, string> = { debug: 'DEBU', info: 'INFO', warning: 'WARN', fatal: 'FATA' }

function logLine(format: LogFormat, level: LineLevel, message: string, seconds: number): string {
  if (format === 'text') {
    const lines = message.split(/\r?\n/).map(printable)
    return `${textLabel[level]}[${String(Math.floor(seconds)).padStart(4, '0')}] ${lines.join('\n  ')}`
  }
  return JSON.stringify({ level, msg: message, time: `${new Date().toISOString().slice(0, 19)}Z` })
}

/** Writes a log line to standard error unless the wanted level leaves it out, without users and passwords of URLs. */
export function writeLog(
  settings: { format: LogFormat; level: LogLevel },
  level: LineLevel,
  message: string,
): void {
  if (severity[level] < severity[settings.level]) return
  process.stderr.write(`${logLine(settings.format, level, withoutUserInfo(message), process.uptime())}\n`)
}
