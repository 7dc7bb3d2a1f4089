import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Gateway } from '../testing/gateway-fixture.ts'
import { runWadi } from '../testing/run-wadi-fixture.ts'

const sha256 = 'a'.repeat(64)
const helm = { name: 'helm', version: '4.2.4' }

test('with --remote the versions of a server are listed, added, verified and removed', async () => {
  await using gateway = await Gateway.start()
  const asked: unknown[] = []
  gateway.tools = {
    listTools: () => ({
      tools: [
        { name: 'helm', version: '4.1.4', origin: 'brought', isDefault: true, sha256, hasEngine: true },
        { ...helm, origin: 'downloaded', sha256 },
        { ...helm, version: '4.2.0', origin: 'directory', error: 'it is helm v4.2.1 and not 4.2.0' },
      ],
    }),
    addTool: ({ tool }) => {
      asked.push(tool?.version)
      return { sha256 }
    },
    removeTool: ({ tool }) => {
      asked.push(tool?.version)
      return { branches: ['environments/a', 'environments/b'] }
    },
    verifyTools: () => ({
      tools: [{ ...helm, origin: 'downloaded', status: 'failed', message: 'it was changed' }],
    }),
  }
  const { environment } = gateway
  const run = async (...args: string[]) => runWadi(['tools', ...args, '--remote'], { environment })
  assert.equal(
    (await run('list')).stdout,
    `TOOL  VERSION  FROM        USED                                    ENGINE  SHA256
helm  4.1.4    brought     by default                              yes     ${sha256}
helm  4.2.4    downloaded  when git names it or a branch keeps it  no      ${sha256}
helm  4.2.0    directory   not: it is helm v4.2.1 and not 4.2.0            
`,
  )
  assert.deepEqual(JSON.parse((await run('list', '-o', 'json')).stdout)[1], {
    ...helm,
    origin: 'downloaded',
    isDefault: false,
    hasEngine: false,
    sha256,
  })
  assert.equal((await run('add', 'helm', 'v4.2.4')).stdout, `helm 4.2.4 added (sha256:${sha256})\n`)
  const verified = await run('verify')
  assert.deepEqual(
    [verified.code, verified.stdout],
    [20, 'TOOL  VERSION  FROM        STATUS  MESSAGE\nhelm  4.2.4    downloaded  failed  it was changed\n'],
  )
  const removed = await run('rm', 'helm', '4.2.4', '--yes')
  assert.deepEqual([removed.code, removed.stdout], [0, 'helm 4.2.4 removed\n'])
  assert.match(
    removed.stderr,
    /the next hydration of environments\/a, environments\/b downloads it again: where git names no version, these branches keep helm 4\.2\.4/,
  )
  assert.deepEqual(asked, ['4.2.4', '4.2.4'])
  const mixed = await run('add', 'helm', '4.2.4', '--from', 'file')
  assert.equal(mixed.code, 1)
  assert.match(mixed.stderr, /a server downloads by its own list: leave out --from and --sha256, or --remote/)
})
