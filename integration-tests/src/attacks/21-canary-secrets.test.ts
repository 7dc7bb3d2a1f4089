import assert from 'node:assert/strict'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test, type TestContext } from 'node:test'
import { ConnectError } from '@connectrpc/connect'
import { configMap } from '../application-fixture.ts'
import { startMeshFixture } from '../mesh-fixture.ts'

const canaries = ['canary-read-5f1d', 'canary-write-8c2e', 'canary-cluster-77aa', 'canary-webhook-19bd']

/** Everything that is written to this process's error output while something runs. */
async function errorOutputOf({ mock }: TestContext, work: () => Promise<void>): Promise<string> {
  const written: string[] = []
  const tracked = mock.method(process.stderr, 'write', (chunk: string | Uint8Array) => {
    written.push(Buffer.from(chunk).toString())
    return true
  })
  try {
    await work()
  } finally {
    tracked.mock.restore()
  }
  return written.join('')
}

/** The files of the data directory that hold a text, but for the stores of credentials. */
async function filesWith(root: string, text: string): Promise<string[]> {
  const entries = await readdir(root, { recursive: true, withFileTypes: true })
  const found: string[] = []
  for (const entry of entries) {
    const isStore = /^(?:state|credentials)\.db/.test(entry.name)
    // What renderers see of the machine comes and goes there.
    const isMachine = entry.parentPath.includes('/containment/roots/')
    if (!entry.isFile() || isStore || isMachine) continue
    const file = join(entry.parentPath, entry.name)
    if ((await readFile(file)).includes(text)) found.push(file)
  }
  return found
}

test('no secret shows in answers, errors, logs, branches or files', async (t) => {
  const answers: string[] = []
  let hydrated = ''
  let dataDirectory = ''
  const logs = await errorOutputOf(t, async () => {
    await using mesh = await startMeshFixture({ environment: { WADI_LOG_LEVEL: 'debug' } })
    const { fixture } = mesh
    const { gateway } = fixture
    dataDirectory = join(fixture.directory, 'data')
    const repository = await fixture.createRepository('canary', { 'canary/a.yaml': configMap('a', '1') })
    const note = (value: unknown) =>
      answers.push(JSON.stringify(value, (_key, item) => (typeof item === 'bigint' ? String(item) : item)))
    const attempt = async (work: Promise<unknown>) => {
      note(await work.catch((error: unknown) => ConnectError.from(error).message))
    }
    const secret = (name: string, type: string, stringData: Record<string, string>) => ({
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: { name, labels: { 'argocd.argoproj.io/secret-type': type } },
      stringData,
    })
    const elsewhere = `${mesh.git.server.url}/elsewhere.git`
    const [read = '', write = '', cluster = '', webhook = ''] = canaries
    await attempt(
      gateway.repositories.createRepository({ repoUrl: elsewhere, username: 'you', password: read }),
    )
    await attempt(
      gateway.repositories.createRepository({
        repoUrl: elsewhere,
        username: 'you',
        password: read,
        skipValidation: true,
      }),
    )
    await attempt(
      gateway.repositories.createRepository({
        repoUrl: elsewhere,
        username: 'you',
        password: write,
        write: true,
        skipValidation: true,
      }),
    )
    const config = JSON.stringify({ bearerToken: cluster })
    await attempt(
      gateway.resources.applyResource({
        resource: secret('far', 'cluster', { server: 'https://far.example.com', name: 'far', config }),
      }),
    )
    await attempt(
      gateway.resources.applyResource({
        resource: {
          apiVersion: 'v1',
          kind: 'Secret',
          metadata: { name: 'argocd-secret' },
          stringData: { 'webhook.github.secret': webhook },
        },
      }),
    )
    await attempt(fixture.applyAndFail({ name: 'elsewhere', repoURL: elsewhere, branch: 'environments/x' }))
    await attempt(gateway.repositories.listRepositories({ refresh: true }))
    await attempt(gateway.clusters.listClusters({}))
    await attempt(gateway.applications.listApplications({}))
    await attempt(
      fetch(`${mesh.address}/api/webhook`, {
        method: 'POST',
        headers: { 'x-github-event': 'push' },
        body: '{}',
      }).then((answer) => answer.text()),
    )
    const branch = 'environments/canary'
    await fixture.applyAndWait(await repository.dry.head(), {
      name: 'canary',
      repoURL: repository.url,
      branch,
    })
    for (const file of await repository.files(branch)) hydrated += await repository.read(branch, file)
    for (const canary of canaries) assert.deepEqual(await filesWith(dataDirectory, canary), [], canary)
  })
  assert.ok(logs.length > 1_000, 'the log is read')
  assert.ok(answers.length > 9)
  for (const canary of canaries) {
    assert.ok(!answers.join('\n').includes(canary), `an answer holds ${canary}`)
    assert.ok(!logs.includes(canary), `the log holds ${canary}`)
    assert.ok(!hydrated.includes(canary), `a hydrated file holds ${canary}`)
  }
})
