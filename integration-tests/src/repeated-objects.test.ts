import assert from 'node:assert/strict'
import { test } from 'node:test'
import { applicationObject, configMap } from './application-fixture.ts'
import { isSettled } from './gateway-fixture.ts'
import { meshOfFile } from './mesh-fixture.ts'

const chart = {
  'chart/Chart.yaml': 'apiVersion: v2\nname: web\nversion: 1.0.0\n',
  'chart/values.yaml': 'color: blue\n',
  'chart/templates/all.yaml':
    'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: "{{ .Release.Name }}-web"}\ndata: {color: "{{ .Values.color }}"}\n',
}
const advice =
  'so in the cluster each replaces what the other made: give them other names or namespaces (of a chart, helm.releaseName)'

const mesh = await meshOfFile()

/** Those of objects that others make too. */
async function repeatedOf(name: string): Promise<string[]> {
  const { warnings = [] } = await mesh.fixture.waitFor(name, isSettled)
  return warnings.filter((warning) => warning.includes('also made by'))
}

test('two Applications of one chart without a release name name each other, until one has a name', async () => {
  const { fixture } = mesh
  const repository = await fixture.createRepository('twins', chart)
  const shared = { repoURL: repository.url, branch: 'environments/twins', path: 'chart', namespace: 'web' }
  const twin = (name: string, releaseName?: string) => ({
    ...shared,
    name,
    source: { helm: { valuesObject: { color: name }, ...(releaseName !== undefined && { releaseName }) } },
  })
  const drySha = await repository.dry.head()
  await fixture.applyAndWait(drySha, twin('east'))
  assert.deepEqual(await repeatedOf('east'), [])
  await fixture.applyAndWait(drySha, twin('west'))
  const made = 'ConfigMap web/release-name-web is also made by'
  assert.deepEqual(await repeatedOf('east'), [`${made} argocd/west, ${advice}`])
  assert.deepEqual(await repeatedOf('west'), [`${made} argocd/east, ${advice}`])
  // A commit that renders neither keeps the warnings.
  const other = await repository.push({ 'elsewhere/a.yaml': configMap('a', '1') }, 'Change nothing here')
  await fixture.hydrateTo(other, 'east')
  assert.deepEqual(await repeatedOf('west'), [`${made} argocd/east, ${advice}`])
  // In another cluster it is another object.
  const moved = applicationObject(twin('west'))
  const destination = { server: 'https://elsewhere.example.com', namespace: 'web' }
  await fixture.gateway.resources.applyResource({
    resource: { ...moved, spec: { ...(moved['spec'] as object), destination } },
  })
  await fixture.hydrate('west')
  assert.deepEqual([await repeatedOf('east'), await repeatedOf('west')], [[], []])
  await fixture.apply(twin('west'))
  await fixture.hydrate('west')
  assert.equal((await repeatedOf('east')).length, 1)
  await fixture.apply(twin('west', 'west'))
  await fixture.hydrate('west')
  assert.deepEqual([await repeatedOf('east'), await repeatedOf('west')], [[], []])
})

test('an Application of another repository that makes the same object is named, until it is gone', async () => {
  const { fixture } = mesh
  const one = await fixture.createRepository('one-of-two', { 'a/a.yaml': configMap('same', '1') })
  const two = await fixture.createRepository('two-of-two', {
    'b/a.yaml': `${configMap('same', '2')}---\n${configMap('own', '3')}`,
  })
  const branch = 'environments/two'
  await fixture.applyAndWait(await one.dry.head(), { name: 'a', repoURL: one.url, branch })
  await fixture.applyAndWait(await two.dry.head(), {
    name: 'b',
    repoURL: two.url,
    branch,
    destination: one.url,
  })
  assert.deepEqual(await repeatedOf('a'), [`ConfigMap same is also made by argocd/b, ${advice}`])
  assert.deepEqual(await repeatedOf('b'), [`ConfigMap same is also made by argocd/a, ${advice}`])
  await fixture.gateway.applications.deleteApplication({ name: 'b' })
  await fixture.hydrate('a')
  assert.deepEqual(await repeatedOf('a'), [])
})
