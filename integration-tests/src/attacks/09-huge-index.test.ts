import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import { test } from 'node:test'
import { configMap } from '../application-fixture.ts'
import { startMeshFixture } from '../mesh-fixture.ts'
import { hydrateEach } from './hydrate-each-fixture.ts'

const memoryMiB = 192
const mebibyte = Buffer.alloc(1024 ** 2, '#')

test('an index of charts without end stops at the memory or the time of its renderer', async () => {
  let sent = 0
  const server = createServer((_, response) => {
    const write = (): void => {
      let isTaken = true
      while (isTaken && !response.destroyed) {
        isTaken = response.write(mebibyte)
        sent += 1
      }
    }
    response.on('drain', write)
    write()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  await using _ = {
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections()
      server.close()
    },
  }
  const address = server.address()
  assert.ok(typeof address === 'object' && address !== null)
  const dependency = `{name: far, version: 1.0.0, repository: "http://127.0.0.1:${address.port}"}`
  const files = {
    'far/Chart.yaml': `apiVersion: v2\nname: web\nversion: 1.0.0\ndependencies: [${dependency}]\n`,
    'good/a.yaml': configMap('good', '1'),
  }
  await using closed = await startMeshFixture()
  const refused = await closed.fixture.createRepository('closed', files)
  const outcome = (await hydrateEach(closed.fixture, refused, ['far'])).get('far')
  assert.match(outcome?.message ?? '', /would be downloaded, so the same commit could render differently/)
  assert.equal(sent, 0)

  await using mesh = await startMeshFixture({
    environment: {
      WADI_ALLOW_REMOTE_CHARTS: 'true',
      WADI_RENDER_MEMORY: `${memoryMiB}MiB`,
      WADI_RENDER_TIMEOUT: '30s',
    },
  })
  const repository = await mesh.fixture.createRepository('open', files)
  const outcomes = await hydrateEach(mesh.fixture, repository, ['far', 'good'])
  assert.equal(outcomes.get('far')?.phase, 'Failed')
  assert.match(
    outcomes.get('far')?.message ?? '',
    /helm (?:was killed because it used more than 192 MiB of memory|took longer than 30 s and was stopped)/,
  )
  assert.ok(sent > 0)
  assert.equal(outcomes.get('good')?.phase, 'Hydrated')
})
