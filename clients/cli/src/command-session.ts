import type { LogFormat, LogLevel } from './log-line.ts'
import type { ServerConnection } from './server-connection.ts'

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

/** What a command may use beside its own arguments. */
export interface CommandSession {
  readonly environment: NodeJS.ProcessEnv
  /** Aborts at the first SIGINT or SIGTERM. */
  readonly signal: AbortSignal
  /** The flags of all commands, once the command line is read. */
  flags(): GlobalFlags
  /** Finds the server from flags, environment and context file; nothing is sent yet. */
  connect(): Promise<ServerConnection>
  /** Tells the user something beside the result, on standard error. */
  warn(message: string): void
}
