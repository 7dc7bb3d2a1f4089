import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { test } from 'node:test'
import { RenderFixture, strictPolicy, testSource, testTools } from '../../run/render-fixture.ts'
import { runProgram } from '@wadi/testing/run-program.ts'

const tools = await testTools()

test('a pinned remote dependency is downloaded only if the operator allows it', async () => {
  await using fixture = new RenderFixture(tools, {
    'far/Chart.yaml': 'apiVersion: v2\nname: far\nversion: 2.0.0\n',
    'far/templates/far.yaml': 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: far}\n',
  })
  const env = { HOME: fixture.sandboxRoot }
  await runProgram([...tools.helm.command, 'package', 'far'], { cwd: fixture.directory, env })
  const archive = readFileSync(join(fixture.directory, 'far-2.0.0.tgz'))
  const requests: string[] = []
  const server = createServer((request, response) => {
    requests.push(request.url ?? '')
    if (request.url === '/index.yaml') {
      response.end(
        'apiVersion: v1\nentries:\n  far:\n  - {apiVersion: v2, name: far, version: 2.0.0, urls: [far-2.0.0.tgz]}\n',
      )
    } else response.end(archive)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  try {
    const address = server.address()
    assert.ok(typeof address === 'object' && address !== null)
    const { port } = address
    const dependency = (version: string) =>
      `apiVersion: v2\nname: webchart\nversion: 1.0.0\ndependencies:\n- {name: far, version: "${version}", repository: "http://127.0.0.1:${port}"}\n`
    fixture.write('web/Chart.yaml', dependency('2.0.0'))
    const source = testSource('web', { helm: { passCredentials: true } })
    await assert.rejects(fixture.render(source), /would be downloaded/)
    assert.deepEqual(requests, [])
    const policy = { ...strictPolicy, allowRemoteCharts: true }
    const rendered = await fixture.render(source, {}, policy)
    assert.deepEqual(rendered.manifests, ['{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"far"}}'])
    assert.deepEqual(rendered.record.commands, [
      `helm repo add dependency-0 http://127.0.0.1:${port} --pass-credentials`,
      'helm dependency build web --skip-refresh',
      'helm template web --include-crds',
    ])
    fixture.write('web/Chart.yaml', dependency('^2.0.0'))
    await assert.rejects(
      fixture.render(source, {}, policy),
      /only when its version is exact or in Chart\.lock/,
    )
  } finally {
    server.close()
    server.closeAllConnections()
  }
})
