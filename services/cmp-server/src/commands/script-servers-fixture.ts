import { mkdir, mkdtempDisposable, readdir, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { startCommandServer } from './command-server-fixture.ts'

const flags = ['--max-output-size', '1KiB', '--command-grace', '100ms']
const environment = { WADI_SECRET: 'hidden', KUBECONFIG: '/home/me/.kube/config', API_TOKEN: 'sesame-open' }

/**
 * Servers that run scripts in each way there is; disposal ends them. `restricted` and `plain` find no program that makes namespaces.
 * `skip` says why the others cannot be had here.
 */
export async function startScriptServers() {
  await using owned = new AsyncDisposableStack()
  const start = async (rule: string, search?: string) =>
    owned.use(
      await startCommandServer({
        flags: ['--run-scripts', rule, ...flags],
        environment,
        ...(search !== undefined && { path: search }),
      }),
    )
  const directory = owned.use(await mkdtempDisposable(path.join(tmpdir(), 'wadi-programs-'))).path
  const programs = path.join(directory, 'bin')
  await mkdir(programs)
  for (const name of await readdir('/usr/bin'))
    if (name !== 'unshare') await symlink(path.join('/usr/bin', name), path.join(programs, name))
  const isolated = await start('allow')
  const shared = await start('allow-shared-network')
  const restricted = await start('allow', programs)
  const plain = await start('allow-shared-network', programs)
  const { scriptsRefusedBecause: rejection } = await isolated.client.describeCommands({})
  const kept = owned.move()
  const skip = rejection === '' ? false : rejection
  return { isolated, shared, restricted, plain, skip, [Symbol.asyncDispose]: () => kept.disposeAsync() }
}
