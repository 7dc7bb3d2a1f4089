import { once } from 'node:events'
import { type Command, Option } from 'commander'
import { showExamples } from '../command-line/command-help.ts'
import { collect } from '../command-line/command-line-values.ts'
import type { CommandSession } from '../command-line/command-session.ts'
import { programName } from '../command-line/program-name.ts'
import { defaultDataDirectory, localToolsDirectory } from '../connection/data-directory.ts'

interface UpFlags {
  data?: string
  listen: string
  redis?: string
  plugin?: string[]
  pluginVariables?: string
  runScripts?: string
}

/** Defines `up`. */
export function defineUpCommand(command: Command, session: CommandSession): void {
  command
    .option('--data <directory>', 'data directory (default $XDG_DATA_HOME/wadi, else ~/.local/share/wadi)')
    .option('--listen <host:port>', 'address of the API', '127.0.0.1:8080')
    .option(
      '--redis <url>',
      'Redis for the queue (default: in this process; $WADI_REDIS_URL keeps a password out of the process list)',
    )
    .option('--plugin <file>', 'file with a ConfigManagementPlugin to serve (repeatable)', collect)
    .option(
      '--plugin-variables <setting>',
      'variables that plugins receive, as plugin=ARGOCD_APP_NAME,KUBE_VERSION=1.34.0 (default $WADI_PLUGIN_VARIABLES)',
    )
    .addOption(
      new Option(
        '--run-scripts <rule>',
        'whether to run actions of packages, each in its own namespaces (default $WADI_RUN_SCRIPTS, else deny)',
      ).choices(['deny', 'allow', 'allow-shared-network']),
    )
    .action((flags: UpFlags) => serveUntilInterrupted(session, flags))
  showExamples(
    command,
    'wadi up',
    'wadi up --data ./wadi-data --listen 127.0.0.1:9090 --plugin plugins/trivial/plugin.yaml',
  )
}

async function serveUntilInterrupted(session: CommandSession, flags: UpFlags): Promise<void> {
  const { environment, signal } = session
  const dataDirectory = flags.data ?? defaultDataDirectory(environment)
  const redis = flags.redis ?? environment['WADI_REDIS_URL']
  if (flags.plugin) {
    const { checkPluginFiles } = await import('../plugins/plugin-files.ts')
    await checkPluginFiles(flags.plugin)
  }
  const { startMesh } = await import('@wadi/mesh/mesh.ts')
  const { serviceEnvironment } = await import('@wadi/mesh/service-environment.ts')
  await using mesh = await startMesh({
    dataDirectory,
    listen: flags.listen,
    signal,
    ...(redis && { redis }),
    ...(flags.plugin && { plugins: flags.plugin }),
    runScripts: flags.runScripts,
    environment: {
      WADI_LOG_FORMAT: 'text',
      WADI_TOOLS_DIRECTORY: localToolsDirectory(environment),
      ...serviceEnvironment(environment),
      ...(flags.pluginVariables !== undefined && { WADI_PLUGIN_VARIABLES: flags.pluginVariables }),
    },
  })
  const { host } = new URL(mesh.address)
  const { contextFilePath, writeContext } = await import('../connection/context-file.ts')
  const contextFile = session.flags().config ?? contextFilePath(environment)
  await writeContext(
    { name: host, server: host, token: mesh.adminToken, plaintext: true, current: true },
    contextFile,
  )
  const wadi = programName(environment)
  process.stdout.write(
    `Wadi is up at ${mesh.address}, data in ${dataDirectory}.\n` +
      `Context ${host} in ${contextFile} is the current one. In another terminal, for example:\n` +
      `  ${wadi} repo add URL\n  ${wadi} apply -f FILE\n  ${wadi} app list\n` +
      `People sign in at ${mesh.address}, the web console, or with "${wadi} login"; the first password of admin: ${wadi} admin initial-password` +
      `${flags.data === undefined ? '' : ` --data ${dataDirectory}`}\n` +
      'Ctrl-C stops it.\n',
  )
  if (!/^(?:127\.|localhost|\[::1\])/u.test(host)) {
    session.warn(`${host} is open to other machines without TLS; put a TLS proxy in front`)
  }
  if (!signal.aborted) await once(signal, 'abort')
  process.exitCode = 0
}
