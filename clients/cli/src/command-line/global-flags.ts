import type { LogFormat, LogLevel } from './log-line.ts'

/** The flags that every command takes. */
export interface GlobalFlags {
  server?: string
  authToken?: string
  plaintext?: boolean
  insecure?: boolean
  serverCrt?: string
  clientCrt?: string
  clientCrtKey?: string
  header?: string[]
  config?: string
  wadiContext?: string
  httpRetryMax: number
  logformat?: LogFormat
  loglevel: LogLevel
}
