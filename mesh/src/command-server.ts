import { startCmpServer } from '@wadi/cmp-server/cmp-server.ts'
import { cmpServerSettings } from '@wadi/cmp-server/settings.ts'
import { readSettings } from '@wadi/rpc/service-settings.ts'

/** Options of running the actions of packages and ytt in one process. */
export interface CommandServerOptions {
  /** `unix:/path` of a socket in a directory that is there. */
  listen: string
  /** Directory for the files of runs. */
  dataDirectory: string
  /** As `--run-scripts` has it; by default what the environment says, and that is `deny` by default. */
  runScripts?: string | undefined
  /** Settings of cmp-server. */
  environment: Readonly<Record<string, string>>
}

/** Starts a cmp-server without a plugin; disposal ends it and its runs. */
export async function startCommandServer(options: CommandServerOptions): Promise<AsyncDisposable> {
  const { WADI_PLUGIN: _, ...environment } = options.environment
  const { listen, dataDirectory, runScripts } = options
  const env = {
    ...environment,
    WADI_LISTEN: listen,
    WADI_DATA_DIR: dataDirectory,
    ...(runScripts !== undefined && { WADI_RUN_SCRIPTS: runScripts }),
  }
  return await startCmpServer(readSettings(cmpServerSettings, { env, argv: [] }))
}
