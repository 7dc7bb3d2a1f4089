import assert from 'node:assert/strict'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { startMesh } from '@wadi/mesh/mesh.ts'
import { HydrationFixture, makeDataDirectory, makeTestDirectory } from '../hydration-fixture.ts'
import { gitUser, quietEnvironment, startListenedGitServer } from '../mesh-fixture.ts'

test('a new version of a tool makes one commit that names it, and changes nothing else', async () => {
  await using owned = new AsyncDisposableStack()
  const directory = await makeTestDirectory(owned)
  const { server } = await startListenedGitServer()
  owned.use(server)
  const dataDirectory = await makeDataDirectory(directory)
  const plugin = join(directory, 'plugin.yaml')
  const branch = 'environments/tools'
  const withTool = async (
    script: string,
    work: (fixture: HydrationFixture) => Promise<void>,
  ): Promise<void> => {
    const spec = { generate: { command: ['sh', '-c', script] }, discover: { fileName: '*.txt' } }
    const metadata = { name: 'tool' }
    await writeFile(plugin, JSON.stringify({ kind: 'ConfigManagementPlugin', metadata, spec }))
    await using mesh = await startMesh({
      dataDirectory,
      listen: '127.0.0.1:0',
      plugins: [plugin],
      environment: quietEnvironment,
    })
    const { address, adminToken: token } = mesh
    using fixture = new HydrationFixture({ address, token, directory, git: server })
    await work(fixture)
  }
  const print = (text: string): string =>
    `printf '{"kind":"ConfigMap","apiVersion":"v1","metadata":{"name":"a"},"data":{"size":"%s%s"}}' ${text} "$(cat size.txt)"`

  let repository: Awaited<ReturnType<HydrationFixture['createRepository']>> | undefined
  await withTool(print('v1-'), async (fixture) => {
    await fixture.addCredentials({ repoUrl: server.url, isPrefix: true, ...gitUser })
    repository = await fixture.createRepository('tools', { 'one/size.txt': '1', 'two/size.txt': '2' })
    const common = { repoURL: repository.url, branch }
    await fixture.applyAndWait(
      await repository.dry.head(),
      { ...common, name: 'one' },
      { ...common, name: 'two' },
    )
  })
  assert.ok(repository !== undefined)
  const dry = await repository.dry.head()
  const commits = (await repository.commits(branch)).length

  await withTool(`: the same output; ${print('v1-')}`, async (fixture) => {
    await fixture.hydrate('one', { hard: true })
  })
  assert.equal((await repository.commits(branch)).length, commits)

  await withTool(print('v2-'), async (fixture) => {
    await fixture.hydrate('one', { hard: true })
  })
  assert.equal((await repository.commits(branch)).length, commits + 1)
  const head = await repository.head(branch)
  const message = await repository.commitField(head, '%B')
  assert.ok(message.startsWith(dry.slice(0, 7)))
  assert.match(message, /^Tool-changed: plugin tool \S+ to \S+ in 2 directories$/m)
  assert.match(await repository.read(branch, 'two/manifest.yaml'), /size: v2-2/)
  assert.deepEqual(
    (await repository.changedFiles(head)).filter((file) => file.endsWith('manifest.yaml')),
    ['one/manifest.yaml', 'two/manifest.yaml'],
  )
})
