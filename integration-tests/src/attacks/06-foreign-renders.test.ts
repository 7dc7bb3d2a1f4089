import assert from 'node:assert/strict'
import { mkdtempDisposable, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { isSettled } from '../gateway-fixture.ts'
import { startMeshFixture } from '../mesh-fixture.ts'

/** Prints another number each time, as a plugin may print what its project's credentials can read. */
const script = `
number=$(od -An -N8 -tu8 /dev/urandom | tr -d ' ')
printf '{"kind":"ConfigMap","apiVersion":"v1","metadata":{"name":"a"},"data":{"number":"n%s"}}' "$number"
`

test('a render that was kept for one project is shown to no other, with the same files of the same repository', async () => {
  await using directory = await mkdtempDisposable(join(tmpdir(), 'wadi-renders-'))
  const file = join(directory.path, 'plugin.yaml')
  const spec = { generate: { command: ['sh', '-c', script] }, discover: { fileName: 'number.txt' } }
  await writeFile(
    file,
    JSON.stringify({ kind: 'ConfigManagementPlugin', metadata: { name: 'number' }, spec }),
  )
  await using mesh = await startMeshFixture({ plugins: [file] })
  const { fixture } = mesh
  for (const name of ['red', 'blue']) await fixture.applyProject(name)
  const repository = await fixture.createRepository('numbers', { 'web/number.txt': '1' })
  const numberOf = async (name: string, project: string): Promise<string> => {
    const branch = `numbers/${name}`
    const application = { name, path: 'web', repoURL: repository.url, branch, project, syncPath: 'web' }
    await fixture.applyAndWait(await repository.dry.head(), application)
    const [number = ''] = /n\d+/.exec(await repository.read(branch, 'web/manifest.yaml')) ?? []
    return number
  }
  const red = await numberOf('red', 'red')
  assert.match(red, /^n\d+$/)
  assert.equal(await numberOf('red-too', 'red'), red)
  assert.notEqual(await numberOf('blue', 'blue'), red)
})

test('a render is given no credentials: not to its tools, and not for the dependencies that they download', async () => {
  const seen: { url: string; authorization: string | undefined }[] = []
  await using listener = createServer((request, response) => {
    seen.push({ url: request.url ?? '', authorization: request.headers.authorization })
    response.writeHead(401).end()
  })
  await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve))
  const charts = `http://127.0.0.1:${(listener.address() as AddressInfo).port}`
  const password = 'canary-of-the-registry'
  await using mesh = await startMeshFixture({ environment: { WADI_ALLOW_REMOTE_CHARTS: 'true' } })
  const { fixture } = mesh
  await fixture.addCredentials({ repoUrl: charts, isPrefix: true, username: 'registry', password })
  const repository = await fixture.createRepository('dependencies', {
    'web/Chart.yaml': `apiVersion: v2\nname: web\nversion: 1.0.0\ndependencies: [{name: sub, version: 1.0.0, repository: "${charts}"}]\n`,
    'web/.argocd-source.yaml': 'helm: {passCredentials: true}\n',
    'web/templates/a.yaml': 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n',
  })
  const branch = 'environments/dependencies'
  await fixture.apply({ name: 'web', repoURL: repository.url, branch })
  const { currentOperation } = await fixture.waitFor('web', isSettled)
  assert.equal(currentOperation?.phase, 'Failed')
  assert.ok(
    seen.some(({ url }) => url.endsWith('index.yaml')),
    currentOperation.message,
  )
  assert.deepEqual(
    seen.filter(({ authorization }) => authorization !== undefined),
    [],
  )
  assert.ok(!currentOperation.message.includes(password))
})
