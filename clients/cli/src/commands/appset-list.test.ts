import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parse } from 'yaml'
import { Gateway } from '../testing/gateway-fixture.ts'
import { runWadi } from '../testing/run-wadi-fixture.ts'
import { condition, sampleApplicationSet, upToDateStatus } from '../testing/sample-application-set-fixture.ts'

async function startWithSets(): Promise<Gateway> {
  const gateway = await Gateway.start()
  const { stored } = gateway.applicationSets
  const broken = { conditions: [condition('ErrorOccurred', 'True', 'no')], health: { status: 'Degraded' } }
  const syncPolicy = { applicationsSync: 'create-update', preserveResourcesOnDeletion: true }
  stored.set('argocd/broken', sampleApplicationSet('broken', { syncPolicy }, broken))
  stored.set('argocd/guestbook', sampleApplicationSet('guestbook', {}, upToDateStatus))
  stored.set('argocd/new', sampleApplicationSet('new'))
  return gateway
}

test('the table has the columns of argocd with readable values, and the number of Applications', async () => {
  await using gateway = await startWithSets()
  const { stdout, stderr, code } = await runWadi(['appset', 'list'], { environment: gateway.environment })
  assert.deepEqual([stderr, code], ['', 0])
  assert.equal(
    stdout,
    `NAME              PROJECT  SYNCPOLICY              HEALTH    CONDITIONS                             REPO                                PATH      TARGET  APPS
argocd/broken     default  create-update,preserve  Degraded  ErrorOccurred                          https://git.example.com/deploy.git  {{path}}  HEAD    ${''}
argocd/guestbook  default  sync                    Healthy   ParametersGenerated,ResourcesUpToDate  https://git.example.com/deploy.git  {{path}}  HEAD    1
argocd/new        default  sync                              <none>                                 https://git.example.com/deploy.git  {{path}}  HEAD    ${''}
`,
  )
})

test('names, JSON and YAML are the sets as they are, and an empty list is []', async () => {
  await using gateway = await startWithSets()
  const { applicationSets, environment } = gateway
  const list = async (format: string) =>
    (await runWadi(['appset', 'list', '-o', format], { environment })).stdout
  const sets = [...applicationSets.stored.values()]
  assert.equal(await list('name'), 'argocd/broken\nargocd/guestbook\nargocd/new\n')
  assert.deepEqual(JSON.parse(await list('json')), sets)
  assert.deepEqual(parse(await list('yaml')), sets)
  applicationSets.stored.clear()
  assert.deepEqual([await list('name'), await list('json'), await list('yaml')], ['', '[]\n', '[]\n'])
})

test('the filters are those of the server', async () => {
  await using gateway = await startWithSets()
  const args = ['appset', 'list', '-l', 'team=web', '-p', 'a', '-p', 'b', '-N', 'teams']
  await runWadi(args, { environment: gateway.environment })
  const { lists } = gateway.applicationSets
  assert.deepEqual(lists, [{ namespace: 'teams', selector: 'team=web', projects: ['a', 'b'] }])
})

test('shells complete the names of sets', async () => {
  await using gateway = await startWithSets()
  const { environment } = gateway
  const { stdout } = await runWadi(['__complete', 'application-sets'], { environment })
  assert.equal(stdout, 'broken\nguestbook\nnew\n')
  const script = await runWadi(['completion', 'bash'])
  for (const place of ['get', 'delete', 'refresh']) {
    assert.match(script.stdout, new RegExp(`"/appset/${place}"\\) _wadi_names application-sets `))
  }
})

test('every command for sets explains itself with a sentence, an example and its exit codes', async () => {
  for (const name of ['create', 'apply', 'get', 'list', 'delete', 'generate', 'diff', 'refresh']) {
    const { stdout, code } = await runWadi(['appset', name, '--help'])
    assert.equal(code, 0)
    assert.match(
      stdout,
      new RegExp(`^Usage: wadi appset ${name} [^]*\\n\\n[A-Z][^]+\\.\\n[^]*wadi appset ${name}`),
    )
    assert.match(stdout, /\nExit codes: 0 /)
  }
})
