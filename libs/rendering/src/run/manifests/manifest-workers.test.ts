import assert from 'node:assert/strict'
import { readdir } from 'node:fs/promises'
import { test } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { until } from '@wadi/testing/until.ts'
import { ManifestWorkers } from './manifest-workers.ts'

const limits = { jsonnet: undefined, textBytes: 64 * 1024 * 1024, manifestBytes: 64 * 1024 * 1024 }

function job(text: string, file = 'a.yaml') {
  return { ...limits, files: [{ file, text, jsonnet: false }] }
}

function configMaps(count: number): string {
  const one = (index: number) =>
    `apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: c${index}\ndata: {a: [b, c]}\n`
  return Array.from({ length: count }, (_, index) => one(index)).join('---\n')
}

test('objects come back sorted by namespace and name, whatever thread reads them', async () => {
  await using workers = new ManifestWorkers({ threads: 2 })
  const text =
    'apiVersion: v1\nkind: A\nmetadata: {name: b, namespace: z}\n---\napiVersion: v1\nkind: A\nmetadata: {name: c, namespace: a}\n'
  const results = await Promise.all(Array.from({ length: 8 }, () => workers.run(job(text))))
  for (const { manifests, warnings } of results) {
    assert.deepEqual(manifests, [
      '{"apiVersion":"v1","kind":"A","metadata":{"name":"c","namespace":"a"}}',
      '{"apiVersion":"v1","kind":"A","metadata":{"name":"b","namespace":"z"}}',
    ])
    assert.deepEqual(warnings, [])
  }
})

test('a comment that names a template is not that of all documents that are read together', async () => {
  await using workers = new ManifestWorkers({ threads: 1 })
  const templates = async (between: string) => {
    const text = `---\n# Source: web/a.yaml\n${configMaps(1)}${between}---\n# Source: web/b.yaml\n${configMaps(1)}`
    const file = { file: 'chart', text, jsonnet: false, chart: 'web' }
    const { origins } = await workers.run({ ...limits, files: [file] })
    return origins.map(({ template }) => template)
  }
  assert.deepEqual(await templates(''), ['a.yaml', 'b.yaml'])
  assert.deepEqual(await templates('...\n%YAML 1.2\n'), ['chart'])
})

test('threads without work end but for one, which goes on reading', async () => {
  await using workers = new ManifestWorkers({ threads: 2, idleMilliseconds: 1 })
  const threads = () => readdir('/proc/self/task')
  const before = await threads()
  await Promise.all([workers.run(job(configMaps(2))), workers.run(job(configMaps(2)))])
  await until(async () => (await threads()).length <= before.length + 1)
  await setTimeout(20)
  assert.equal((await threads()).length, before.length + 1)
  assert.equal((await workers.run(job(configMaps(3)))).manifests.length, 3)
})

test('a file that takes too long is named, its thread replaced and the next job served', async () => {
  await using workers = new ManifestWorkers({ threads: 1, timeoutMilliseconds: 3000 })
  const [first] = job(configMaps(1), 'quick.yaml').files
  const slow = Array.from({ length: 60 }, () => ({
    file: 'slow.yaml',
    text: configMaps(19_000),
    jsonnet: false,
  }))
  await assert.rejects(workers.run({ ...limits, files: first === undefined ? slow : [first, ...slow] }), {
    name: 'ResourceExhaustedError',
    message: /^slow\.yaml: reading its manifests took more than 3 s of a processor; make it smaller$/,
  })
  assert.equal((await workers.run(job(configMaps(2)))).manifests.length, 2)
})

test('a file that takes too much memory is named and the pool continues', async () => {
  await using workers = new ManifestWorkers({ threads: 1, memoryMiB: 16 })
  const big = `apiVersion: v1\nkind: A\nitems: [${'{a: b},'.repeat(300_000)}]\n`
  await assert.rejects(workers.run(job(big, 'big.yaml')), {
    name: 'ResourceExhaustedError',
    message: /^big\.yaml: .*16 MiB/,
  })
  assert.equal((await workers.run(job(configMaps(3)))).manifests.length, 3)
})

test('wrong input comes back as an InvalidInputError with file and line', async () => {
  await using workers = new ManifestWorkers({ threads: 1 })
  await assert.rejects(workers.run(job('a: 1\n', 'x.yaml')), {
    name: 'InvalidInputError',
    message: /^x\.yaml:1: /,
  })
})

test('an aborted job ends with the reason of its signal', async () => {
  await using workers = new ManifestWorkers({ threads: 1 })
  const controller = new AbortController()
  const running = workers.run(job(configMaps(5000)), controller.signal)
  controller.abort(new Error('the caller left'))
  await assert.rejects(running, /the caller left/)
  assert.equal((await workers.run(job(configMaps(1)))).manifests.length, 1)
})
