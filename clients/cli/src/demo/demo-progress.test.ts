import assert from 'node:assert/strict'
import { test } from 'node:test'
import { connectToServer } from '../connection/server-connection.ts'
import { Gateway } from '../testing/gateway-fixture.ts'
import { sampleApplication } from '../testing/sample-application-fixture.ts'
import { waitForDrySha } from './demo-progress.ts'

const web = {
  name: 'web',
  path: 'apps/web',
  branch: 'environments/prod',
  syncPath: 'web',
  namespace: 'default',
}

/** Waits for the dry commit `222…` while an Application goes through the phases, which the gateway sends one by one. */
async function waitThrough(states: Parameters<typeof sampleApplication>[1][], name = 'web') {
  await using gateway = await Gateway.start()
  const [present, ...coming] = states.map((state) => sampleApplication(name, state))
  if (present) gateway.applications.set('', present)
  gateway.comingStates.push(...coming)
  const flags = {
    server: gateway.address,
    plaintext: true,
    authToken: 'x',
    httpRetryMax: 0,
    loglevel: 'error',
  } as const
  const connection = await connectToServer(flags, {}, 'applications')
  let printed = ''
  const print = (text: string) => void (printed += text)
  const end = new AbortController()
  const progress = { connection, applications: [web], print, signal: end.signal }
  try {
    return { times: await waitForDrySha(progress, '2'.repeat(40)), printed }
  } finally {
    end.abort()
  }
}

test('the wait ends when every application is hydrated from the dry commit, and reports its branch', async () => {
  const { times, printed } = await waitThrough([
    { phase: 'Hydrated', dry: '1' },
    { phase: 'Hydrated', dry: '2' },
  ])
  assert.deepEqual([...times.keys()], ['web'])
  assert.ok((times.get('web') ?? 0) > 0)
  assert.equal(printed, '  environments/prod: 1 of 1 applications hydrated\n')
})

test('a failure at the dry commit ends the wait with its reason, one at another commit does not', async () => {
  await assert.rejects(
    waitThrough([
      { phase: 'Failed', dry: '1', message: 'an older error' },
      { phase: 'Failed', dry: '2', message: 'values.yaml:3: not a map' },
    ]),
    { message: 'web: values.yaml:3: not a map' },
  )
})
