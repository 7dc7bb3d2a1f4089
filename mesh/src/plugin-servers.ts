import { mkdir } from 'node:fs/promises'
import { delimiter, dirname, join } from 'node:path'
import { startCmpServer } from '@wadi/cmp-server/cmp-server.ts'
import { cmpServerSettings } from '@wadi/cmp-server/settings.ts'
import { findTools } from '@wadi/renderer-tools/find-tools.ts'
import { readSettings } from '@wadi/rpc/service-settings.ts'

/** Options of the plugins of one process. */
export interface PluginServersOptions {
  /** Files with a ConfigManagementPlugin each. */
  files: readonly string[]
  /** Directory for the sockets, each named after its plugin; it is made when there is none. */
  sockets: string
  /** Directory for the files of runs. */
  dataDirectory: string
  /** Directory in which the renderers are unpacked that this machine lacks. */
  toolDirectory: string
  /** Settings of cmp-server. */
  environment: Readonly<Record<string, string>>
}

/** Starts a cmp-server for each plugin; disposal ends them and their runs. */
export async function startPluginServers(options: PluginServersOptions): Promise<AsyncDisposable> {
  const { files, sockets, dataDirectory, environment } = options
  const commandEnvironment = files.length === 0 ? {} : await withTools(options.toolDirectory)
  await using servers = new AsyncDisposableStack()
  await mkdir(sockets, { recursive: true, mode: 0o700 })
  for (const [index, file] of files.entries()) {
    const env = {
      ...environment,
      WADI_LISTEN: `unix:${sockets}/`,
      WADI_PLUGIN: file,
      // Each cmp-server takes what lies in its directory at the start for its own leftovers.
      WADI_DATA_DIR: join(dataDirectory, 'plugins', String(index)),
    }
    servers.use(await startCmpServer(readSettings(cmpServerSettings, { env, argv: [] }), commandEnvironment))
  }
  return servers.move()
}

/** Plugins find helm, kubectl and this Node.js, whatever else the machine has. */
async function withTools(cacheDirectory: string): Promise<NodeJS.ProcessEnv> {
  const { helm, kustomize } = await findTools({ cacheDirectory })
  const programs = [process.execPath, ...helm.command.slice(0, 1), ...kustomize.command.slice(0, 1)]
  const directories = [...programs.map((program) => dirname(program)), process.env['PATH']]
  return { ...handedOn(process.env), PATH: [...new Set(directories)].join(delimiter) }
}

/** The variables of this process that plugins inherit; credentials and what steers programs stay with it. */
const handedOnNames = /^(?:LANG|LANGUAGE|LC_[A-Z]+|TZ|SSL_CERT_(?:FILE|DIR)|NO_PROXY|no_proxy)$/

function handedOn(environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(environment).filter(([name]) => handedOnNames.test(name)))
}
