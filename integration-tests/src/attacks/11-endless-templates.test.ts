// Own process: it leaves so much memory behind that later programs start slowly.
import assert from 'node:assert/strict'
import { setTimeout as pause } from 'node:timers/promises'
import { test } from 'node:test'
import { Code } from '@connectrpc/connect'
import { setObject } from '../application-sets/set-fixture.ts'
import { startMeshFixture } from '../mesh-fixture.ts'

const endless = '{{ range until 99999 }}{{ range until 9999 }}{{ end }}{{ end }}'
const elements = (count: number) => Array.from({ length: count }, (_, index) => ({ name: `n${index}` }))

const sets = {
  'templates of twenty elements that loop': {
    set: setObject({
      generators: [{ list: { elements: elements(20) } }],
      spec: {
        goTemplate: true,
        template: {
          metadata: { name: '{{ .name }}', annotations: { endless } },
          spec: { project: 'default' },
        },
      },
    }),
    message:
      /spec\.generators\[0\]\.list\.elements\[\d+\]: too much work: the templates of the set took \d+ ms of processor time/,
  },
  'a matrix of millions': {
    set: setObject({
      generators: [
        {
          matrix: {
            generators: [{ list: { elements: elements(3_000) } }, { list: { elements: elements(3_000) } }],
          },
        },
      ],
      spec: { goTemplate: true },
    }),
    message: /a generator makes 3000 × 3000 parameter sets, more than 10000; narrow it down/,
  },
}

for (const [name, { set, message }] of Object.entries(sets)) {
  test(`${name} end with what is too much, and others are answered meanwhile`, async () => {
    await using mesh = await startMeshFixture()
    const { applicationSets } = mesh.fixture.gateway
    const waits: number[] = []
    const over = new AbortController()
    const begunAt = performance.now()
    const generating = assert
      .rejects(applicationSets.applyApplicationSet({ applicationSet: set }), {
        code: Code.ResourceExhausted,
        rawMessage: message,
      })
      .finally(() => over.abort())
    while (!over.signal.aborted) {
      const startedAt = performance.now()
      assert.equal((await fetch(`${mesh.address}/healthz`)).status, 200)
      waits.push(performance.now() - startedAt)
      // Without it, the calls take more of a processor than the templates.
      await pause(10)
    }
    await generating
    // An answer that waits for the set takes as long as the set.
    const slowest = Math.max(...waits)
    const most = Math.max(1_500, (performance.now() - begunAt) / 2)
    assert.ok(slowest < most, `the slowest answer took ${slowest} ms`)
  })
}
