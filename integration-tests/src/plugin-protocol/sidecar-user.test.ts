import assert from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chmod, chown, mkdir, mkdtempDisposable, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { test } from 'node:test'
import { setInterval } from 'node:timers/promises'
import { ArgocdClient, goAuthority } from './argocd-client-fixture.ts'
import { archiveRequests, readManifests } from './argocd-messages-fixture.ts'
import { goArchive } from './go-tar-fixture.ts'
import { hangLimitMs } from '@wadi/testing/hang-limit.ts'

/** The user of Argo CD's repo-server, which no image of Wadi knows. */
const argocdUser = 999
const main = path.join(import.meta.dirname, '../../../services/cmp-server/src/main.ts')

const asUser = (user: number, ...words: readonly string[]) => [
  'setpriv',
  `--reuid=${user}`,
  `--regid=${user}`,
  '--clear-groups',
  ...words,
]

/** Returns why a program cannot be run as that user here; false if it can. */
function reasonToSkip(): string | false {
  const [program = '', ...args] = asUser(argocdUser, process.execPath, '--check', main)
  return spawnSync(program, args).status === 0 ? false : 'needs root and a checkout that other users can read'
}

test(
  "a sidecar runs as the user of Argo CD's repo-server, who alone can open its socket",
  { skip: reasonToSkip() },
  async () => {
    await using directory = await mkdtempDisposable(path.join(tmpdir(), 'wadi-user-'))
    const [sockets, own, plugin] = ['sockets', 'own', 'plugin.yaml'].map((name) =>
      path.join(directory.path, name),
    )
    assert.ok(sockets && own && plugin)
    await chmod(directory.path, 0o755)
    for (const made of [sockets, own]) {
      await mkdir(made)
      await chown(made, argocdUser, argocdUser)
    }
    const command = [
      'sh',
      '-c',
      `printf '{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"user-%s"}}' "$(id -u)"`,
    ]
    const spec = { generate: { command } }
    await writeFile(
      plugin,
      JSON.stringify({ kind: 'ConfigManagementPlugin', metadata: { name: 'who' }, spec }),
    )
    const [program = '', ...args] = asUser(
      argocdUser,
      process.execPath,
      main,
      '--plugin',
      plugin,
      `--listen=unix:${sockets}/`,
      '--open-socket',
      '--log-level=error',
    )
    const server = spawn(program, args, {
      // What the guide sets for the image.
      env: {
        PATH: process.env['PATH'],
        HOME: own,
        WADI_DATA_DIR: path.join(own, 'wadi'),
        WADI_SERVICE_KEY_FILE: path.join(own, 'wadi/service.key'),
      },
      stdio: ['ignore', 'inherit', 'inherit'],
    })
    const ended = once(server, 'exit')
    try {
      const socket = path.join(sockets, 'who.sock')
      for await (const _ of setInterval(50, undefined, { signal: AbortSignal.timeout(hangLimitMs) })) {
        const found = await stat(socket).catch(() => undefined)
        if (server.exitCode !== null || (found && (found.mode & 0o777) === 0o600)) break
      }
      const { uid, mode } = await stat(socket)
      assert.deepEqual([uid, mode & 0o777], [argocdUser, 0o600])
      using client = new ArgocdClient(`unix:${socket}`, { authority: goAuthority(socket) })
      const requests = archiveRequests(goArchive([{ name: 'a.yaml', content: 'a: b\n' }]))
      const { manifests } = readManifests(await client.upload('GenerateManifest', requests))
      assert.match(manifests[0] ?? '', /"name":"user-999"/)
      const connect = `require('node:net').connect(${JSON.stringify(socket)}).on('connect', () => process.exit(0)).on('error', ({ code }) => { console.log(code); process.exit(1) })`
      const opened = (user: number) => {
        const [opener = '', ...words] = asUser(user, process.execPath, '-e', connect)
        return spawnSync(opener, words, { encoding: 'utf8' }).stdout.trim()
      }
      assert.deepEqual([opened(argocdUser), opened(10_001)], ['', 'EACCES'])
    } finally {
      server.kill()
      await ended
    }
  },
)
