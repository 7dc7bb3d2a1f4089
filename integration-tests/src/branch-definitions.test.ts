import assert from 'node:assert/strict'
import { test } from 'node:test'
import { applicationObject, configMap } from './application-fixture.ts'
import { branchOf, hydrated } from './gated-repository-fixture.ts'
import { meshOfFile } from './mesh-fixture.ts'
import { compareRevisions, propose } from './review-fixture.ts'

const mesh = await meshOfFile()

const settings = 'gates: {schemas: deny}\n'

/** The definition of a kind whose objects have these fields. */
function definitionOf(...fields: string[]): string {
  const properties = fields.map((field) => `${field}: {type: integer}`).join(', ')
  return `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: widgets.example.com}
spec:
  group: example.com
  names: {kind: Widget, plural: widgets, singular: widget, listKind: WidgetList}
  scope: Namespaced
  versions:
    - name: v1
      served: true
      storage: true
      schema: {openAPIV3Schema: {type: object, properties: {spec: {type: object, properties: {${properties}}}}}}
`
}

function widget(spec: string): string {
  return `apiVersion: example.com/v1\nkind: Widget\nmetadata: {name: web}\nspec: {${spec}}\n`
}

test('objects are checked by the definitions of another Application of the branch, before the first commit too', async () => {
  const { fixture } = mesh
  const repository = await fixture.createRepository('acme/first', {
    'wadi.yaml': settings,
    'kinds/crd.yaml': definitionOf('size'),
    'widgets/a.yaml': widget('sise: 3'),
  })
  const applications = ['kinds', 'widgets'].map((path) => {
    return { name: `first-${path}`, path, repoURL: repository.url, branch: branchOf('first') }
  })
  // Together, so that no branch with the definition comes before the object.
  await fixture.gateway.applications.applyApplications({ applications: applications.map(applicationObject) })
  const message = await fixture.waitForFailure('first-widgets')
  assert.deepEqual(await repository.hydratedBranches(), [])
  assert.match(
    message,
    /widgets\/a\.yaml:4: schemas\/unknown-field Widget\/web spec\.sise: .*did you mean size\?/,
  )
  const fixed = await repository.push({ 'widgets/a.yaml': widget('size: 3') })
  await fixture.hydrateTo(fixed, 'first-widgets')
  assert.match(await repository.read(branchOf('first'), 'first-widgets/manifest.yaml'), /size: 3/)
})

test('a change of a definition checks the objects of others again, together with their changes', async () => {
  const { fixture } = mesh
  const repository = await hydrated(mesh, 'changed', {
    'wadi.yaml': settings,
    'kinds/crd.yaml': definitionOf('size'),
    'widgets/a.yaml': widget('size: 3'),
    'beside/a.yaml': configMap('beside', '1'),
  })
  const branch = branchOf('changed')
  const head = await repository.head(branch)
  await repository.push({ 'kinds/crd.yaml': definitionOf('width') })
  const { currentOperation } = await fixture.hydrate('widgets')
  assert.match(
    currentOperation?.message ?? '',
    /widgets\/a\.yaml:4: schemas\/unknown-field Widget\/web spec\.size: .*expected one of width/,
  )
  assert.equal(await repository.head(branch), head)
  const together = await repository.push({ 'widgets/a.yaml': widget('width: 3') })
  await fixture.hydrateTo(together, 'widgets')
  assert.match(await repository.read(branch, 'widgets/manifest.yaml'), /width: 3/)
  assert.match(await repository.read(branch, 'kinds/manifest.yaml'), /width:/)
  const commits = await repository.commits(branch)
  const same = await repository.push({ 'README.md': 'nothing of it\n' })
  await fixture.hydrateTo(same, 'widgets')
  assert.deepEqual(await repository.commits(branch), commits)
})

test('a comparison judges by the definitions that the branch would have', async () => {
  const { fixture } = mesh
  const repository = await hydrated(mesh, 'compared', {
    'wadi.yaml': settings,
    'kinds-compared/crd.yaml': definitionOf('size'),
    'widgets-compared/a.yaml': widget('size: 3'),
  })
  const compared = async (number: number, files: Record<string, string>) => {
    const revision = await propose(repository, `refs/pull/${number}/head`, files)
    const request = { repoUrl: repository.url, revision, base: 'main' }
    const { applications } = await compareRevisions(fixture.gateway, request)
    return Object.fromEntries([...applications].map(([name, { errors }]) => [name, errors.join()]))
  }
  const misspelt = await compared(1, { 'widgets-compared/a.yaml': widget('sise: 3') })
  assert.deepEqual(Object.keys(misspelt), ['widgets-compared'])
  assert.match(misspelt['widgets-compared'] ?? '', /spec\.sise: .*did you mean size\?/)
  const definition = { 'kinds-compared/crd.yaml': definitionOf('width') }
  const alone = await compared(2, definition)
  assert.match(alone['widgets-compared'] ?? '', /spec\.size: .*expected one of width/)
  const together = await compared(3, { ...definition, 'widgets-compared/a.yaml': widget('width: 3') })
  assert.deepEqual(together, { 'kinds-compared': '', 'widgets-compared': '' })
})
