import { mkdtempDisposable } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type ConnectedCommands, openCommands } from '@wadi/plugin-client/open-commands.ts'
import type { CommandRunner } from '@wadi/rendering/plan/command-runner.ts'
import type { Plugins } from '@wadi/rendering/renderers/plugin/plugins.ts'
import { createServiceIdentity, loadServiceKey } from '@wadi/rpc/service-identity.ts'

/** The commands and plugins of a render on this machine, in addition to the tools that are found here. */
export interface LocalPlugins extends Plugins {
  /** Runs actions of packages and ytt; absent unless the user allows it. */
  readonly commands?: CommandRunner | undefined
}

/** Runs actions of packages and ytt by a cmp-server of this process, as in a mesh; disposal ends it. */
export async function openLocalCommands(): Promise<ConnectedCommands> {
  await using owned = new AsyncDisposableStack()
  const directory = owned.use(await mkdtempDisposable(join(tmpdir(), 'wadi-commands-'))).path
  const { startCommandServer } = await import('@wadi/mesh/command-server.ts')
  const endpoint = `unix:${join(directory, 'commands.sock')}`
  const keyFile = join(directory, 'service.key')
  const environment = {
    WADI_LOG_LEVEL: 'error',
    WADI_LOG_FORMAT: 'text',
    WADI_SERVICE_KEY_FILE: keyFile,
  }
  owned.use(
    await startCommandServer({
      listen: endpoint,
      dataDirectory: directory,
      runScripts: 'allow',
      environment,
    }),
  )
  const identity = createServiceIdentity({ key: await loadServiceKey(keyFile), service: 'repo-server' })
  const commands = owned.use(await openCommands({ endpoints: [endpoint], identity }))
  const moved = owned.move()
  return {
    identity: () => commands.identity(),
    scriptsRefusedBecause: (signal) => commands.scriptsRefusedBecause(signal),
    runScript: (call) => commands.runScript(call),
    runYtt: (template, values, signal) => commands.runYtt(template, values, signal),
    [Symbol.asyncDispose]: () => moved.disposeAsync(),
  }
}
