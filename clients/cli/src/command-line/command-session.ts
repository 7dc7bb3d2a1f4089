import type { Command } from 'commander'
import type { GlobalFlags } from './global-flags.ts'
import type { ServerConnection, ServiceName } from '../connection/server-connection.ts'

/** The environment of a command besides its own arguments. */
export interface CommandSession {
  readonly environment: NodeJS.ProcessEnv
  /** Aborts at the first SIGINT or SIGTERM. */
  readonly signal: AbortSignal
  /** The flags of all commands, once the command line is read. */
  flags(): GlobalFlags
  /** Finds the server from flags, environment and context file, and loads the named services; nothing is sent yet. */
  connect<Name extends ServiceName = never>(...names: Name[]): Promise<ServerConnection<Name>>
  /** Tells the user something beside the result, on standard error. */
  readonly warn: (message: string) => void
  /** Reports how something is done, on standard error. */
  readonly inform: (message: string) => void
  /** Builds the program with all of its commands loaded. */
  wholeProgram(): Promise<Command>
}
