import assert from 'node:assert/strict'
import { test } from 'node:test'
import { objectAt } from '@wadi/fields/json-fields.ts'
import { Gateway } from '../testing/gateway-fixture.ts'
import { runWadi } from '../testing/run-wadi-fixture.ts'
import { sampleApplication } from '../testing/sample-application-fixture.ts'
import { sampleApplicationSet } from '../testing/sample-application-set-fixture.ts'

test('the table has the columns of argocd in their order and ours among them', async () => {
  await using gateway = await Gateway.start()
  gateway.applications.set('api', sampleApplication('api', { phase: 'Failed', dry: '1' }))
  gateway.applications.set('guestbook', sampleApplication('guestbook', { phase: 'Hydrated', dry: '2' }))
  const { environment } = gateway
  const wide = await runWadi(['app', 'list'], { environment })
  assert.equal(
    wide.stdout,
    `NAME              CLUSTER                         NAMESPACE  PROJECT  STATUS    BRANCH                  DRY-SHA  HYDRATED-SHA  REPO                                PATH            TARGET  RENDERER
argocd/api        https://kubernetes.default.svc  guestbook  default  Failed    environments/prod-next  1111111  aaaaaaa       https://git.example.com/deploy.git  apps/guestbook  main    
argocd/guestbook  https://kubernetes.default.svc  guestbook  default  Hydrated  environments/prod-next  2222222  aaaaaaa       https://git.example.com/deploy.git  apps/guestbook  main    
`,
  )
  const names = await runWadi(['app', 'list', '-o', 'name'], { environment })
  assert.equal(names.stdout, 'argocd/api\nargocd/guestbook\n')
})

test('the repository filter takes any spelling of the URL', async () => {
  await using gateway = await Gateway.start()
  gateway.applications.set('api', sampleApplication('api', { phase: 'Hydrated', dry: '1' }))
  const { environment } = gateway
  const same = await runWadi(['app', 'list', '-o', 'name', '-r', 'https://git.example.com/deploy'], {
    environment,
  })
  assert.equal(same.stdout, 'argocd/api\n')
  const other = await runWadi(['app', 'list', '-o', 'name', '-r', 'https://git.example.com/x'], {
    environment,
  })
  assert.equal(other.stdout, '')
})

test('the filters by renderer and tool take one of several, a tool with or without its version', async () => {
  await using gateway = await Gateway.start()
  const chart = sampleApplication('chart', { phase: 'Hydrated', dry: '1' })
  const renderedBy = { renderers: ['helm'], tools: ['helm v4.1.4'] }
  const sourceHydrator = { ...objectAt(chart, 'status', 'sourceHydrator'), renderedBy }
  gateway.applications.set('chart', { ...chart, status: { sourceHydrator } })
  gateway.applications.set('new', sampleApplication('new', { phase: 'Hydrated', dry: '1' }))
  const { environment } = gateway
  const listed = async (...flags: string[]) =>
    (await runWadi(['app', 'list', '-o', 'name', ...flags], { environment })).stdout
  assert.equal(await listed('--renderer', 'kustomize', '--renderer', 'helm'), 'argocd/chart\n')
  assert.equal(await listed('--tool', 'helm'), 'argocd/chart\n')
  assert.equal(await listed('--tool', 'helm v4.1.4'), 'argocd/chart\n')
  assert.equal(await listed('--tool', 'helm v4.1'), '')
  assert.equal(await listed('--renderer', 'helm', '--tool', 'kustomize'), '')
  assert.match((await runWadi(['app', 'list'], { environment })).stdout, /argocd\/chart .* helm v4\.1\.4\n/)
})

test('an empty list is [] in JSON and YAML', async () => {
  await using gateway = await Gateway.start()
  for (const format of ['json', 'yaml']) {
    const { stdout } = await runWadi(['app', 'list', '-l', 'nobody=matches', '-o', format], {
      environment: gateway.environment,
    })
    assert.equal(stdout, '[]\n')
  }
})

test('the Applications of a set are those with its uid, not those with its name', async () => {
  await using gateway = await Gateway.start()
  const { applicationSets, applications, environment } = gateway
  applicationSets.stored.set('argocd/addons', sampleApplicationSet('addons'))
  const kind = 'ApplicationSet'
  const owners = {
    own: { kind, name: 'addons', uid: 'uid-addons', controller: true },
    earlier: { kind, name: 'addons', uid: 'uid-of-one-before', controller: true },
    mentioned: { kind, name: 'addons', uid: 'uid-addons', controller: false },
  }
  for (const [name, owner] of Object.entries(owners)) {
    const application = sampleApplication(name, { phase: 'Hydrated', dry: '1' })
    const metadata = { ...objectAt(application, 'metadata'), ownerReferences: [owner] }
    applications.set(name, { ...application, metadata })
  }
  applications.set('free', sampleApplication('free', { phase: 'Hydrated', dry: '1' }))
  const list = (...flags: string[]) => runWadi(['app', 'list', '-o', 'name', ...flags], { environment })
  assert.equal((await list('--appset', 'addons')).stdout, 'argocd/own\n')
  assert.equal((await list('--appset', 'argocd/addons', '-N', 'other')).stdout, 'argocd/own\n')
  const absent = await list('--appset', 'addons', '-N', 'other')
  assert.deepEqual([absent.stdout, absent.code], ['', 20])
  assert.match(absent.stderr, /ApplicationSet other\/addons does not exist/)
})
