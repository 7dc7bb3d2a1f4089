import assert from 'node:assert/strict'
import { test } from 'node:test'
import { configMap } from './application-fixture.ts'
import { helmOfCharts } from '@wadi/gotemplate/engine-versions.ts'
import { isHydratedAt, isSettled } from './gateway-fixture.ts'
import { meshOfFile } from './mesh-fixture.ts'

const mesh = await meshOfFile()

test('hydrateTo fills a staging branch that starts at the sync branch, which shows Waiting and then Promoted', async () => {
  const { fixture } = mesh
  const [branch, hydrateTo, name] = ['environments/stage', 'environments/stage-next', 'staged']
  const repository = await fixture.createRepository('staged', { 'staged/a.yaml': configMap('staged', '1') })
  const drySha = await repository.dry.head()
  const syncHead = await repository.pushForeign(branch, { CODEOWNERS: '* @platform\n' })
  await fixture.applyAndWait(drySha, { name, repoURL: repository.url, branch, hydrateTo })
  assert.equal(await repository.head(branch), syncHead)
  assert.equal((await repository.commits(hydrateTo))[1], syncHead)
  const { branches: waiting } = await fixture.gateway.applications.getApplication({ name })
  assert.equal(waiting?.promotion, 'Waiting')
  assert.equal(waiting.hydrateToDrySha, drySha)
  assert.equal(waiting.syncDrySha, '')
  await repository.fastForward(branch, hydrateTo)
  const { branches: promoted } = await fixture.gateway.applications.getApplication({ name })
  assert.equal(promoted?.promotion, 'Promoted')
  assert.equal(promoted.syncDrySha, drySha)
})

test('a staging branch whose sync branch is missing too starts at an empty commit of that', async () => {
  const { fixture } = mesh
  const [branch, hydrateTo, name] = ['environments/void', 'environments/void-next', 'void']
  const repository = await fixture.createRepository('void', { 'void/a.yaml': configMap('void', '1') })
  await fixture.applyAndWait(await repository.dry.head(), {
    name,
    repoURL: repository.url,
    branch,
    hydrateTo,
  })
  const [, first = ''] = await repository.commits(hydrateTo)
  assert.deepEqual(await repository.commits(branch), [first])
  assert.deepEqual(await repository.files(branch), [])
})

test('applications with equal sources share a path and its README names both', async () => {
  const { fixture } = mesh
  const repository = await fixture.createRepository('shared', { 'shared/a.yaml': configMap('shared', '1') })
  const shared = {
    repoURL: repository.url,
    branch: 'environments/shared',
    path: 'shared',
    syncPath: 'shared',
  }
  const names = ['shared-east', 'shared-west']
  await fixture.applyAndWait(await repository.dry.head(), ...names.map((name) => ({ ...shared, name })))
  const readme = await repository.read(shared.branch, 'shared/README.md')
  assert.match(readme, /shared-east/)
  assert.match(readme, /shared-west/)
})

test('a file of options of one of several applications that share a path is an error of all, until all have the same', async () => {
  const { fixture } = mesh
  const files = { 'told/Chart.yaml': 'apiVersion: v2\nname: told\nversion: 1.0.0\n' }
  const repository = await fixture.createRepository('told-apart', files)
  const common = { repoURL: repository.url, branch: 'environments/told', path: 'told', syncPath: 'told' }
  const names = ['told-east', 'told-west']
  await fixture.applyAndWait(await repository.dry.head(), ...names.map((name) => ({ ...common, name })))
  const head = await repository.head(common.branch)
  const pin = `helm: {version: ${helmOfCharts}}\n`
  for (const [held, other] of [names, names.toReversed()]) {
    const file = `told/.argocd-source-${held}.yaml`
    const sha = await repository.push({ [file]: pin }, `Pin for ${held}`)
    await fixture.poll()
    for (const name of names) {
      const { currentOperation } = await fixture.waitFor(
        name,
        (state) => isSettled(state) && state.status.currentOperation?.drySHA === sha,
      )
      assert.equal(currentOperation?.phase, 'Failed')
      assert.match(
        currentOperation.message,
        RegExp(
          `${file}:1: .* application ${held} are not those of application ${other}, which is hydrated to`,
        ),
      )
    }
    assert.equal(await repository.head(common.branch), head)
    await repository.push({ [file]: undefined }, 'Put it back')
  }
  const same = names.map((name) => [`told/.argocd-source-${name}.yaml`, pin] as const)
  const sha = await repository.push(Object.fromEntries(same), 'Pin for both')
  await fixture.poll()
  for (const name of names) await fixture.waitFor(name, isHydratedAt(sha))
})

test('hydrated branches go to another repository than the dry one', async () => {
  const { fixture } = mesh
  const dry = await fixture.createRepository('dry-only', { 'apart/a.yaml': configMap('apart', '1') })
  const hydrated = await fixture.createRepository('hydrated-only')
  const drySha = await dry.dry.head()
  const branch = 'environments/apart'
  await fixture.applyAndWait(drySha, { name: 'apart', repoURL: dry.url, branch, destination: hydrated.url })
  assert.deepEqual(await dry.hydratedBranches(), [])
  assert.match(await hydrated.read(branch, 'apart/manifest.yaml'), /name: apart/)
  assert.deepEqual(JSON.parse(await hydrated.note(branch)), { drySha })
})

test('prune removes what a deleted application left and nothing of anybody else', async () => {
  const { fixture } = mesh
  const files = { 'kept/a.yaml': configMap('kept', '1'), 'gone/a.yaml': configMap('gone', '1') }
  const repository = await fixture.createRepository('pruned', files)
  const branch = 'environments/pruned'
  const common = { repoURL: repository.url, branch, annotations: { 'wadi.dev/prune': 'true' } }
  const drySha = await repository.dry.head()
  await fixture.applyAndWait(drySha, { ...common, name: 'kept' }, { ...common, name: 'gone' })
  await repository.pushForeign(branch, { 'gone/NOTES.txt': 'ours\n', 'docs/index.md': 'ours\n' })
  await fixture.gateway.applications.deleteApplication({ name: 'gone' })
  await fixture.hydrate('kept')
  const ours = ['kept/README.md', 'kept/hydrator.metadata', 'kept/manifest.yaml']
  assert.deepEqual(await repository.files(branch), [
    'docs/index.md',
    'gone/NOTES.txt',
    'hydrator.metadata',
    ...ours,
  ])
})

test('without prune the files of a deleted application stay', async () => {
  const { fixture } = mesh
  const files = { 'stays/a.yaml': configMap('stays', '1'), 'left/a.yaml': configMap('left', '1') }
  const repository = await fixture.createRepository('unpruned', files)
  const common = { repoURL: repository.url, branch: 'environments/unpruned' }
  const drySha = await repository.dry.head()
  await fixture.applyAndWait(drySha, { ...common, name: 'stays' }, { ...common, name: 'left' })
  const held = await repository.files(common.branch)
  await fixture.gateway.applications.deleteApplication({ name: 'left' })
  await fixture.hydrate('stays')
  assert.deepEqual(await repository.files(common.branch), held)
})

test('foreign files and foreign commits are kept', async () => {
  const { fixture } = mesh
  const { repository, branch } = await fixture.hydratedOnce('foreign')
  const foreign = await repository.pushForeign(branch, { 'foreign/patch.yaml': 'a: 1\n', LICENSE: 'MIT\n' })
  const drySha = await repository.push({ 'foreign/a.yaml': configMap('foreign', '2') })
  await fixture.hydrateTo(drySha, 'foreign')
  assert.equal((await repository.commits(branch))[1], foreign)
  assert.equal(await repository.read(branch, 'LICENSE'), 'MIT\n')
  assert.equal(await repository.read(branch, 'foreign/patch.yaml'), 'a: 1\n')
  assert.match(await repository.read(branch, 'foreign/manifest.yaml'), /value: "2"/)
})

test('a branch that moves between fetch and push is built upon again, never forced', async () => {
  const { fixture } = mesh
  const { repository, branch } = await fixture.hydratedOnce('moved')
  const drySha = await repository.push({ 'moved/a.yaml': configMap('moved', '2') })
  let foreign = ''
  mesh.git.listen(async ({ method, path }) => {
    if (method !== 'POST' || !path.endsWith('/moved.git/git-receive-pack') || foreign !== '') return undefined
    foreign = 'under way'
    foreign = await repository.pushForeign(branch, { 'NEWS.md': 'pushed in between\n' })
    return undefined
  })
  await fixture.hydrateTo(drySha, 'moved')
  mesh.git.listen(undefined)
  const commits = await repository.commits(branch)
  assert.equal(commits.length, 3)
  assert.equal(commits[1], foreign)
  assert.equal(await repository.read(branch, 'NEWS.md'), 'pushed in between\n')
  assert.match(await repository.read(branch, 'moved/manifest.yaml'), /value: "2"/)
  assert.deepEqual(JSON.parse(await repository.note(branch)), { drySha })
})

test('a server without atomic pushes gets branch and note one after the other', async () => {
  const config = { 'receive.advertiseAtomic': 'false' }
  const { fixture } = mesh
  const { repository, branch } = await fixture.hydratedOnce('plain', { config })
  const drySha = await repository.push({ 'plain/a.yaml': configMap('plain', '2') })
  await fixture.hydrateTo(drySha, 'plain')
  assert.equal((await repository.commits(branch)).length, 2)
  assert.deepEqual(JSON.parse(await repository.note(branch)), { drySha })
})

test('a protected branch fails with the message of the server and is hydrated once it is open', async () => {
  const { fixture } = mesh
  const repository = await fixture.createRepository('guarded', {
    'guarded/a.yaml': configMap('guarded', '1'),
  })
  const rejection = 'GH006: Protected branch update failed for refs/heads/environments/guarded.'
  await repository.setHook('pre-receive', `#!/bin/sh\necho "${rejection}" >&2\nexit 1\n`)
  const branch = 'environments/guarded'
  const message = await fixture.applyAndFail({ name: 'guarded', repoURL: repository.url, branch })
  assert.match(message, /environments\/guarded/)
  assert.match(message, /protected|refused|declined/i)
  assert.equal(await repository.head(branch), '')
  assert.equal(await repository.note(branch), '')
  await repository.setHook('pre-receive', '#!/bin/sh\nexit 0\n')
  await fixture.hydrate('guarded')
  await fixture.waitFor('guarded', isHydratedAt(await repository.dry.head()))
  assert.equal((await repository.commits(branch)).length, 1)
})
