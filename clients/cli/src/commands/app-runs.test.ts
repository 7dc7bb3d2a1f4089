import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Gateway } from '../testing/gateway-fixture.ts'
import { runWadi } from '../testing/run-wadi-fixture.ts'

const run = {
  id: 'mihx3k2p',
  outcome: 'Failed',
  startedAt: '2026-01-02T03:04:05Z',
  milliseconds: 2_300,
  queuedMilliseconds: 120,
  total: 4,
  rendered: 1,
  cached: 1,
  skipped: 1,
  failed: 1,
  steps: [
    { name: 'observe', milliseconds: 40 },
    { name: 'inspect', afterMilliseconds: 40, milliseconds: -1, drySha: 'd'.repeat(40) },
  ],
  sources: [
    { repoUrl: 'https://git.example.com/dry.git', targetRevision: 'main', reasons: ['new dry commit'] },
    {
      repoUrl: 'https://charts.example.com',
      chart: 'web',
      targetRevision: '1.x',
      reasons: ['new dry commit'],
    },
  ],
  directories: [
    { path: 'web', applications: ['argocd/web'], result: 'failed', error: 'no chart \u001b[31m' },
    { path: 'api', applications: ['argocd/api'], result: 'rendered', isChanged: true },
  ],
  directoriesLeftOut: 2,
  events: [{ type: 'Warning', reason: 'HydrationFailed', note: 'no chart', at: '2026-01-02T03:04:06Z' }],
}

test('app runs lists runs with what they did and why', async () => {
  await using gateway = await Gateway.start()
  const { environment } = gateway
  assert.equal((await runWadi(['app', 'runs', 'web'], { environment })).stdout, 'no runs\n')
  gateway.runs = [run]
  const { stdout } = await runWadi(['app', 'runs', 'web'], { environment })
  assert.match(stdout, /^ID +OUTCOME +STARTED +TOOK +RENDERED +CACHED +SKIPPED +FAILED +WHY\n/)
  assert.match(stdout, /\nmihx3k2p +Failed +2026-01-02T03:04:05Z +2\.3s +1 +1 +1 +1 +new dry commit\n$/)
  const json = await runWadi(['app', 'runs', 'web', '-o', 'json'], { environment })
  assert.equal((JSON.parse(json.stdout) as { id: string }[])[0]?.id, 'mihx3k2p')
})

test('app run shows steps, directories and events of a run, without control characters', async () => {
  await using gateway = await Gateway.start()
  const { environment } = gateway
  gateway.runs = [run]
  const { stdout } = await runWadi(['app', 'run', 'web'], { environment })
  assert.match(stdout, /Directories: +4: 1 rendered, 1 cached, 1 skipped as nothing changed, 1 failed\n/)
  assert.match(stdout, /\ninspect +40ms +under way +ddddddd/)
  assert.match(stdout, /\nweb of https:\/\/charts\.example\.com +1\.x +new dry commit\n/)
  assert.match(stdout, /\nweb +failed +argocd\/web +no chart/)
  assert.match(stdout, /\napi +rendered, changed +argocd\/api/)
  assert.match(stdout, /\nand 2 more directories\n/)
  assert.match(stdout, /\nHydrationFailed +Warning +2026-01-02T03:04:06Z +no chart\n/)
  assert.ok(!stdout.includes('\u001b'))
  const yaml = await runWadi(['app', 'run', 'web', 'mihx3k2p', '-o', 'yaml'], { environment })
  assert.match(yaml.stdout, /\nid: mihx3k2p\n/)
  const missing = await runWadi(['app', 'run', 'web', 'other'], { environment })
  assert.deepEqual([missing.code, /run other is not known any more/.test(missing.stderr)], [20, true])
})
