import assert from 'node:assert/strict'
import { test } from 'node:test'
import { kustomizeEngines } from '@wadi/gotemplate/engine-versions.ts'
import type { KustomizeRequest } from './kustomize.ts'
import { kustomizeWorkers, openKustomizeWorkers } from './kustomize-workers.ts'

const map = 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n'

function requestOf(files: Readonly<Record<string, string>>): KustomizeRequest {
  const entries = Object.entries(files).map(([file, text]) => [file, Buffer.from(text)] as const)
  return { path: 'app', files: new Map(entries) }
}

const small = requestOf({ 'app/kustomization.yaml': 'resources: [a.yaml]\n', 'app/a.yaml': map })

function hostile(data: string): KustomizeRequest {
  return requestOf({
    'app/kustomization.yaml': 'resources: [a.yaml]\n',
    'app/a.yaml': `${map}data: ${data}\n`,
  })
}

/** Nine lists, each of which has the one before nine times. */
const aliases = Array.from({ length: 9 }, (_, n) => {
  const items = n === 0 ? 'x' : `*a${n - 1},`.repeat(9)
  return `  a${n}: &a${n} [${items}]`
})

for (const version of kustomizeEngines) {
  test(`Kustomize ${version} builds a kustomization from the files that are given`, async () => {
    const workers = kustomizeWorkers(version)
    assert.equal(await workers.run(small), 'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: a\n')
    await assert.rejects(workers.run(requestOf({ 'app/kustomization.yaml': 'resources: [b.yaml]\n' })), {
      name: 'InvalidInputError',
      message: /accumulating resources from 'b.yaml'/,
    })
  })
}

const hostileRequests = [
  ['nests very deeply', hostile('['.repeat(400_000))],
  ['has aliases of aliases', hostile(`\n${aliases.join('\n')}`)],
  ['fetches a base', requestOf({ 'app/kustomization.yaml': 'resources: ["https://example.com/a.yaml"]\n' })],
  [
    'clones a base',
    requestOf({ 'app/kustomization.yaml': 'resources: ["https://github.com/o/r//b?ref=v1"]\n' }),
  ],
  [
    'inflates a chart',
    requestOf({ 'app/kustomization.yaml': 'helmCharts: [{name: a, repo: "https://example.com"}]\n' }),
  ],
  [
    'reads a file of the machine',
    requestOf({ 'app/kustomization.yaml': 'resources: [../../etc/hostname]\n' }),
  ],
] as const

for (const version of kustomizeEngines) {
  for (const [name, request] of hostileRequests) {
    test(`a kustomization that ${name} fails with Kustomize ${version}, and others are built`, async () => {
      await assert.rejects(kustomizeWorkers(version).run(request, { timeoutMilliseconds: 3000 }))
      assert.match(await kustomizeWorkers(version).run(small), /name: a/)
    })
  }
}

test('a thread is there from its start on, and ready when it takes jobs', async () => {
  await using workers = openKustomizeWorkers('5.7.1', { threads: 1 })
  const states = () => [workers.isStarted, workers.isReady]
  assert.deepEqual(states(), [false, false])
  const built = workers.run(small)
  assert.deepEqual(states(), [true, false])
  await built
  assert.deepEqual(states(), [true, true])
  const again = workers.run(small)
  assert.deepEqual(states(), [true, true], 'at work')
  await again
  await workers[Symbol.asyncDispose]()
  assert.deepEqual(states(), [false, false])
})

test('a build over its time is ended, while others are built', async () => {
  await using workers = openKustomizeWorkers('5.7.1', { threads: 2, timeoutMilliseconds: 60_000 })
  const slow = hostile(`{${Array.from({ length: 60_000 }, (_, n) => `k${n}: "${n}"`).join()}}`)
  const ended = assert.rejects(workers.run(slow, { timeoutMilliseconds: 100 }), {
    name: 'ResourceExhaustedError',
    message: 'kustomization "app": takes more than 0.1 s: make it simpler',
  })
  assert.match(await workers.run(small), /name: a/)
  await ended
})
