import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startBranchBed } from '../branch-bed-fixture.ts'
import { application, repoURL } from '../run-fixture.ts'
import { sha } from '../run-neighbours-fixture.ts'

const helm = { renderers: ['helm'], tools: ['helm v4.1.4'] }
const plain = { renderers: ['directory'], tools: [] }

test('a record says how most Applications are rendered, and names the others', async () => {
  await using bed = await startBranchBed()
  bed.neighbours.renderedBy = (path) => (path === 'apps/c' ? plain : helm)
  await bed.fixture.add(...['a', 'b', 'c'].map((name) => application(name)))
  await bed.run()
  const recorded = async () => (await bed.groups())?.map(({ success }) => success?.renderedBy)
  assert.deepEqual(await recorded(), [[helm, { ...plain, applications: ['argocd/c'] }]])
  bed.neighbours.dry = { main: sha(2) }
  bed.neighbours.renderedBy = () => plain
  await bed.fixture.reload()
  await bed.run()
  assert.deepEqual(await recorded(), [[plain]])
})

test('the renderers of several sources are those of each, once', async () => {
  await using bed = await startBranchBed()
  bed.neighbours.renderedBy = (path) => (path === 'apps/b' ? plain : helm)
  const drySources = ['a', 'b', 'c'].map((name) => {
    return { repoURL, targetRevision: 'main', path: `apps/${name}` }
  })
  const several = application('a')
  const sourceHydrator = { drySources, syncSource: { targetBranch: 'env/dev', path: 'a' } }
  await bed.fixture.add({ ...several, spec: { ...several.spec, sourceHydrator } })
  await bed.run()
  const [group] = (await bed.groups()) ?? []
  assert.deepEqual(group?.success?.renderedBy, [{ renderers: ['helm', 'directory'], tools: ['helm v4.1.4'] }])
})

test('nothing is recorded of what an older repo-server says nothing of, nor names without end', async () => {
  await using bed = await startBranchBed()
  await bed.fixture.add(application('a'))
  await bed.run()
  const recorded = async () => (await bed.groups())?.map(({ success }) => success?.renderedBy)
  assert.deepEqual(await recorded(), [undefined])
  bed.neighbours.renderedBy = (path) => (Number(path.at(-1)) % 2 === 0 ? plain : helm)
  const long = 'x'.repeat(230)
  const many = Array.from({ length: 1_000 }, (_, index) => application(`${long}-${index}`))
  await bed.fixture.add(...many)
  bed.neighbours.dry = { main: sha(2) }
  await bed.fixture.reload()
  await bed.run()
  assert.deepEqual(await recorded(), [undefined])
  assert.equal(bed.neighbours.landed.length, 2)
})
