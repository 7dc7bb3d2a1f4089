import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { configMap } from '../application-fixture.ts'
import { isHydratedAt } from '../gateway-fixture.ts'
import { makeTestDirectory } from '../hydration-fixture.ts'
import { type MeshFixture, startMeshFixture } from '../mesh-fixture.ts'
import { type NotedHelm, noteHelm } from './noted-helm-fixture.ts'
import { jobChain, packageExample, plainChart, supplyChainExample, workload } from './supply-chain-fixture.ts'

const ignored = 'workload param "registry" ignored: supply chain "web" fixes it (platform/web.yaml:8)'

let owned: AsyncDisposableStack
let helm: NotedHelm
let mesh: MeshFixture
before(async () => {
  owned = new AsyncDisposableStack()
  helm = await noteHelm(await makeTestDirectory(owned))
  mesh = owned.use(await startMeshFixture({ environment: { WADI_HELM: helm.path, WADI_RENDERERS: 'tools' } }))
})
after(async () => {
  await owned.disposeAsync()
})

/**
 * A repository with the example's workload, a second one of its chain, one of another chain, a package and a chart,
 * hydrated once to one branch.
 */
async function hydratedGroup(name: string) {
  const { fixture } = mesh
  const repository = await fixture.createRepository(name, {
    ...(await supplyChainExample()),
    ...workload('cart'),
    ...workload('mail', 'job'),
    ...jobChain,
    ...(await packageExample('packages/guestbook')),
    ...plainChart,
  })
  const branch = `environments/${name}`
  const paths = {
    shop: 'apps/shop/prod',
    cart: 'apps/cart/prod',
    mail: 'apps/mail/prod',
    guestbook: 'packages/guestbook',
    plain: 'charts/plain',
  }
  const applications = Object.entries(paths).map(([syncPath, path]) => {
    return { name: `${name}-${syncPath}`, path, syncPath, repoURL: repository.url, branch }
  })
  const drySha = await repository.dry.head()
  await fixture.applyAndWait(drySha, ...applications)
  await helm.rendered()
  return { fixture, repository, branch, drySha, shop: `${name}-shop` }
}

/** The directories whose manifests a hydrated commit changed. */
async function changedManifests({
  repository,
  branch,
}: Awaited<ReturnType<typeof hydratedGroup>>): Promise<string[]> {
  return (await repository.changedFiles(branch)).filter((file) => file.endsWith('/manifest.yaml'))
}

test('packages and workloads hydrate in one commit with a chart', async () => {
  const { repository, branch } = await hydratedGroup('together')
  assert.equal((await repository.commits(branch)).length, 1)
  const manifest = (name: string) => repository.read(branch, `${name}/manifest.yaml`)
  const shop = await manifest('shop')
  assert.match(shop, /^ {2}replicas: 5$/m)
  assert.match(shop, /image: registry\.example\.com\/shop@sha256:4f1d/)
  assert.match(shop, /^ {2}logLevel: info$/m)
  assert.doesNotMatch(shop, /evil|kpack/)
  const cart = await manifest('cart')
  assert.match(cart, /^ {2}replicas: 2$/m)
  assert.match(cart, /image: registry\.example\.com\/cart:1$/m)
  const config = (name: string): string => `apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: ${name}\n`
  assert.equal(await manifest('mail'), `${config('mail')}  namespace: web\n`)
  assert.equal(await manifest('plain'), config('plain'))
  const guestbook = await manifest('guestbook')
  assert.match(guestbook, /kind: StatefulSet\nmetadata:\n {2}name: guestbook\n {2}namespace: guestbook\n/)
  assert.match(guestbook, /^ {2}replicas: 3$/m)
  assert.match(guestbook, /storage: 20Gi/)
})

test('what was ignored is reported in the status, also by a run that renders nothing', async () => {
  const { fixture, repository, drySha, shop } = await hydratedGroup('ignored')
  const first = await fixture.waitFor(shop, isHydratedAt(drySha))
  assert.deepEqual(first.warnings, [ignored])
  const next = await repository.push({ 'docs/notes.md': 'Only words.\n' })
  const second = await fixture.hydrateTo(next, shop)
  assert.deepEqual(await helm.rendered(), [])
  assert.deepEqual(second.warnings, [ignored])
})

test('a package that cannot be rendered keeps its group from landing and no other one', async () => {
  const { fixture } = mesh
  const files = await packageExample('broken')
  const entries = 'broken/entries.yaml'
  const repository = await fixture.createRepository('invalid', {
    ...files,
    [entries]: (files[entries] ?? '').replace('.Values.title', '.Values.tittle'),
    'beside/a.yaml': configMap('beside', '1'),
    'elsewhere/a.yaml': configMap('elsewhere', '1'),
  })
  const application = (name: string, branch: string) => ({ name, repoURL: repository.url, branch })
  await fixture.apply(application('beside', 'environments/invalid'))
  const message = await fixture.applyAndFail(application('broken', 'environments/invalid'))
  assert.match(message, /broken\/entries\.yaml:6\b/)
  assert.match(message, /\.Values\.tittle/)
  await fixture.applyAndWait(await repository.dry.head(), application('elsewhere', 'environments/sound'))
  const { currentOperation } = await fixture.waitFor('beside', ({ status }) => {
    return status.currentOperation?.phase === 'Failed'
  })
  assert.match(currentOperation?.message ?? '', /application argocd\/broken has an error/)
  assert.ok((await repository.files('environments/sound')).includes('elsewhere/manifest.yaml'))
  for (const commit of await repository.commits('environments/invalid')) {
    assert.ok(!(await repository.files(commit)).includes('broken/manifest.yaml'))
  }
})

test('a template of operators that changes renders the workloads that use it, and no packages and charts', async () => {
  const group = await hydratedGroup('template')
  const { fixture, repository, shop } = group
  const chain = await repository.read('main', 'platform/web.yaml')
  const drySha = await repository.push({
    'platform/web.yaml': chain.replace('default: info', 'default: debug'),
  })
  await fixture.hydrateTo(drySha, shop)
  const rendered = await helm.rendered()
  assert.deepEqual(rendered, ['cart', 'shop'])
  assert.deepEqual(await changedManifests(group), ['cart/manifest.yaml', 'shop/manifest.yaml'])
  assert.match(await repository.read(group.branch, 'shop/manifest.yaml'), /^ {2}logLevel: debug$/m)
})

test('a package that changes renders the workloads that lead to it, and nothing else', async () => {
  const group = await hydratedGroup('package')
  const { fixture, repository, shop } = group
  const file = 'packages/web/chart/values.yaml'
  const values = await repository.read('main', file)
  const drySha = await repository.push({ [file]: values.replace('port: 8080', 'port: 9090') })
  await fixture.hydrateTo(drySha, shop)
  assert.deepEqual(await helm.rendered(), ['cart', 'shop'])
  assert.deepEqual(await changedManifests(group), ['cart/manifest.yaml', 'shop/manifest.yaml'])
  assert.match(await repository.read(group.branch, 'shop/manifest.yaml'), /targetPort: 9090/)
})

test('recorded outputs that change render their own workload alone', async () => {
  const group = await hydratedGroup('outputs')
  const { fixture, repository, shop } = group
  const outputs = 'previousOutputs: {image: {image: registry.example.com/cart:2}}\n'
  const drySha = await repository.push({ 'apps/cart/prod/outputs.yaml': outputs })
  await fixture.hydrateTo(drySha, shop)
  assert.deepEqual(await helm.rendered(), ['cart'])
  assert.deepEqual(await changedManifests(group), ['cart/manifest.yaml'])
})

test('a dry commit that changes nothing that is read renders nothing and makes no commit', async () => {
  const { fixture, repository, branch, shop } = await hydratedGroup('unchanged')
  const head = await repository.head(branch)
  const drySha = await repository.push({ 'docs/notes.md': 'Only words.\n' })
  await fixture.hydrateTo(drySha, shop)
  assert.deepEqual(await helm.rendered(), [])
  assert.equal(await repository.head(branch), head)
  assert.deepEqual(JSON.parse(await repository.note(branch)), { drySha })
})
