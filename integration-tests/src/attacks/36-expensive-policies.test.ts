import assert from 'node:assert/strict'
import { test } from 'node:test'
import { configMap } from '../application-fixture.ts'
import { startMeshFixture } from '../mesh-fixture.ts'

/** Loops in loops, whose turns are more than a machine ever does. Each searches the object's text, so that few reach the limit of cost. */
function loops(depth: number): string {
  const list = `[${Array.from({ length: 40 }, (_, n) => n).join()}]`
  return Array.from({ length: depth }).reduce<string>(
    (expression, _, level) => `${list}.all(v${level}, ${expression})`,
    "!object.data.value.contains('no')",
  )
}

const policy = (name: string, expression: string) => `apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata: {name: ${name}}
spec:
  matchConstraints:
    resourceRules: [{apiGroups: [''], apiVersions: [v1], operations: ['*'], resources: [configmaps]}]
  validations: [{expression: ${JSON.stringify(expression)}}]
---
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicyBinding
metadata: {name: ${name}}
spec: {policyName: ${name}, validationActions: [Deny]}
`

test('policies that would never end deny their own Applications, and others are hydrated', async () => {
  await using mesh = await startMeshFixture()
  const { fixture } = mesh
  const branch = (name: string) => `environments/${name}`
  const files = (name: string) => ({
    'wadi.yaml': 'gates: {policies: deny}\npolicies: [policies]\n',
    'policies/small.yaml': policy('small', "object.data.value != 'wrong'"),
    [`${name}/a.yaml`]: configMap('web', '1'),
  })
  const bomb = await fixture.createRepository('bomb', files('bomb'))
  const other = await fixture.createRepository('other', files('other'))
  for (const { repository, name } of [
    { repository: bomb, name: 'bomb' },
    { repository: other, name: 'other' },
  ]) {
    const application = { name, repoURL: repository.url, branch: branch(name) }
    await fixture.applyAndWait(await repository.dry.head(), application)
  }
  const before = await bomb.head(branch('bomb'))
  await bomb.push({
    'bomb/a.yaml': configMap('web', 'x'.repeat(900_000)),
    'policies/loops.yaml': policy('loops', loops(9)),
    'policies/regex.yaml': policy('regex', "'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa!'.matches('^(a+)+$')"),
  })
  const { currentOperation } = await fixture.hydrate('bomb')
  const message = currentOperation?.message ?? ''
  assert.match(message, /policies\/loops ConfigMap\/web.*cost limit exceeded/)
  assert.match(message, /policies\/regex ConfigMap\/web/)
  assert.equal(await bomb.head(branch('bomb')), before)
  await fixture.hydrateTo(await other.push({ 'other/a.yaml': configMap('web', '2') }), 'other')
  await other.push({ 'other/a.yaml': configMap('web', 'wrong') })
  const denied = await fixture.hydrate('other')
  assert.match(denied.currentOperation?.message ?? '', /policies\/small ConfigMap\/web/)
})
