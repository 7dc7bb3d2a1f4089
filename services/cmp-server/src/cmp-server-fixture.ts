import { existsSync } from 'node:fs'
import { mkdir, mkdtempDisposable, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { ConfigManagementPluginService } from '@wadi/protocol/gen/argocd/plugin/plugin_pb.ts'
import { createServiceClient } from '@wadi/rpc/create-client.ts'
import { createServiceIdentity, loadServiceKey } from '@wadi/rpc/service-identity.ts'
import { readSettings } from '@wadi/rpc/service-settings.ts'
import { archiveOf, requestsOf } from './archive/archive-fixture.ts'
import { startCmpServer } from './cmp-server.ts'
import { cmpServerSettings } from './settings.ts'

/** Starts a server with a plugin in a directory of its own, and a client of it; disposal ends all. */
export async function startServer(
  plugin: string | undefined,
  flags: (directory: string) => readonly string[] = () => ['--listen', '127.0.0.1:0'],
  environment: NodeJS.ProcessEnv = process.env,
) {
  await using owned = new AsyncDisposableStack()
  const directory = owned.use(await mkdtempDisposable(path.join(tmpdir(), 'wadi-cmp-'))).path
  const runs = path.join(directory, 'cmp-server/runs')
  await mkdir(path.join(runs, 'run-left-over/files'), { recursive: true })
  const file = path.join(directory, 'plugin.yaml')
  if (plugin !== undefined) await writeFile(file, plugin)
  const argv = [
    ...serverFlags(directory),
    ...flags(directory),
    ...(existsSync(file) ? ['--plugin', file] : []),
  ]
  const server = owned.use(
    await startCmpServer(readSettings(cmpServerSettings, { env: {}, argv }), environment),
  )
  const client = owned.use(await clientOf(directory, server.address))
  const kept = owned.move()
  return { server, client, directory, runs, [Symbol.asyncDispose]: () => kept.disposeAsync() }
}

/** Returns the flags that every server of a directory is started with. */
export function serverFlags(directory: string): string[] {
  return [
    '--data-dir',
    directory,
    '--service-key-file',
    path.join(directory, 'service.key'),
    '--log-level',
    'error',
  ]
}

/** A client that is a service to the server. */
export async function clientOf(directory: string, address: string) {
  const key = await loadServiceKey(path.join(directory, 'service.key'))
  return createServiceClient(ConfigManagementPluginService, {
    endpoints: [address],
    identity: createServiceIdentity({ key, service: 'repo-server' }),
    audience: 'cmp-server',
  })
}

/** The messages of a call, as a client sends them. */
export async function* stream<T>(messages: readonly T[]): AsyncIterable<T> {
  yield* messages
}

/** A call for an application that sets parameters, undefined for one without a plugin stanza. */
export async function callWith(
  parameters: readonly object[] | undefined,
  variables: Readonly<Record<string, string>> = {},
) {
  const all = Object.entries({
    ...variables,
    ...(parameters && {
      ARGOCD_APP_PARAMETERS: parameters.length === 0 ? 'null' : JSON.stringify(parameters),
    }),
  })
  const env = all.map(([name, value]) => ({ name, value }))
  return stream(requestsOf(await archiveOf([{ name: 'a.yaml', text: 'a: b' }]), { env }))
}
