import { mkdtempDisposable, readdir, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { startCmpServer } from '@wadi/cmp-server/cmp-server.ts'
import { cmpServerSettings } from '@wadi/cmp-server/settings.ts'
import { readSettings } from '@wadi/rpc/service-settings.ts'
import { ArgocdClient, goAuthority } from './argocd-client-fixture.ts'

/** A cmp-server of this repository with one plugin. */
export interface CmpServerFixture extends AsyncDisposable {
  /** The address on which it listens, from its log. */
  readonly address: string
  /** The directory of the test, which holds everything that the server writes. */
  readonly directory: string
  /** File with the key that services share. */
  readonly keyFile: string
  /** Returns the files that calls left in the data directory. */
  leftOvers(): Promise<string[]>
}

/** Starts a server; `flags` may use the directory that is made for it. */
export async function startCmpServerFixture(
  pluginText: string,
  flags: (directory: string) => readonly string[] | Promise<readonly string[]>,
): Promise<CmpServerFixture> {
  await using owned = new AsyncDisposableStack()
  const directory = owned.use(await mkdtempDisposable(path.join(tmpdir(), 'wadi-plug-'))).path
  const plugin = path.join(directory, 'plugin.yaml')
  const keyFile = path.join(directory, 'service.key')
  const data = path.join(directory, 'data')
  await writeFile(plugin, pluginText)
  const argv = ['--plugin', plugin, '--data-dir', data, '--service-key-file', keyFile]
  argv.push('--log-level', 'error', '--command-grace', '200ms', ...(await flags(directory)))
  const server = owned.use(await startCmpServer(readSettings(cmpServerSettings, { env: {}, argv })))
  const kept = owned.move()
  return {
    address: server.address,
    directory,
    keyFile,
    leftOvers: () => readdir(path.join(data, 'cmp-server/runs')),
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  }
}

/** A server on a socket that needs no identity, and Argo CD's repo-server connected to it. */
export interface SidecarFixture extends CmpServerFixture {
  readonly client: ArgocdClient
}

/** Starts a server as a sidecar of Argo CD's repo-server. */
export async function startSidecarFixture(pluginText: string): Promise<SidecarFixture> {
  await using owned = new AsyncDisposableStack()
  const server = owned.use(
    await startCmpServerFixture(pluginText, (directory) => [
      '--listen',
      `unix:${directory}/`,
      '--open-socket',
    ]),
  )
  const authority = goAuthority(server.address.slice('unix:'.length))
  const client = owned.use(new ArgocdClient(server.address, { authority }))
  const kept = owned.move()
  return { ...server, client, [Symbol.asyncDispose]: () => kept.disposeAsync() }
}
