import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Gateway } from '../testing/gateway-fixture.ts'
import { sampleParameters, text } from '../testing/parameters-fixture.ts'
import { runWadi } from '../testing/run-wadi-fixture.ts'
import { sampleApplication } from '../testing/sample-application-fixture.ts'

async function startGateway(): Promise<Gateway> {
  const gateway = await Gateway.start()
  gateway.applications.set('guestbook', sampleApplication('guestbook', { phase: 'Hydrated', dry: '2' }))
  gateway.parameters = ({ dryRevision }) => ({
    renderer: 'plugin',
    plugin: 'lisp',
    parameters: sampleParameters,
    warnings: [`looked at ${dryRevision || 'main'}`],
    drySha: '2'.repeat(40),
  })
  return gateway
}

test('the table is followed by problems and warnings', async () => {
  await using gateway = await startGateway()
  const { stdout, stderr, code } = await runWadi(['app', 'params', 'argocd/guestbook'], {
    environment: gateway.environment,
  })
  assert.deepEqual([stderr, code], ['', 0])
  assert.match(stdout, /^NAME +TYPE +DEFAULT +VALUE +FROM\nreplicas +number +1 +chart\n/)
  assert.match(stdout, /\n\nProblems:\n- size: "XXL" is not one of S, L\n\nWarnings:\n- looked at main\n$/)
})

test('a parameter that is set without being announced is reported, as its name may be wrong', async () => {
  await using gateway = await startGateway()
  gateway.parameters = () => ({ parameters: [...sampleParameters, { name: 'sise', value: text('L') }] })
  const { stdout } = await runWadi(['app', 'params', 'guestbook'], { environment: gateway.environment })
  assert.match(stdout, /\n\nNot announced:\n- sise\n$/)
})

test('names, JSON and YAML show only what is set on request, at the requested revision', async () => {
  await using gateway = await startGateway()
  const run = (...args: string[]) =>
    runWadi(['app', 'params', 'guestbook', '--set-only', '--revision', 'v2', ...args], {
      environment: gateway.environment,
    })
  assert.equal((await run('-o', 'name')).stdout, 'size\nhosts\nimage\n')
  const json = JSON.parse((await run('-o', 'json')).stdout) as { warnings: unknown; parameters: unknown[] }
  assert.deepEqual(json.warnings, ['looked at v2'])
  assert.partialDeepStrictEqual(json.parameters[1], {
    name: 'hosts',
    collection: 'array',
    value: { list: { items: ['a.example.com', 'b.example.com'] } },
    origin: { kind: 'git', file: 'apps/guestbook/.argocd-source.yaml', line: 4 },
    required: false,
  })
  assert.match(
    (await run('-o', 'yaml')).stdout,
    /^drySHA: "?2{40}"?\n(?:.*\n)*renderer: plugin\n(?:.*\n)*warnings:\n  - looked at v2\n$/,
  )
})

test('an Application that does not exist ends with 20', async () => {
  await using gateway = await startGateway()
  const { stderr, code } = await runWadi(['app', 'params', 'nobody'], { environment: gateway.environment })
  assert.equal(code, 20)
  assert.match(stderr, /code = NotFound desc = applications\.argoproj\.io/)
})
