import assert from 'node:assert/strict'
import { test } from 'node:test'
import { create } from '@bufbuild/protobuf'
import { GatesSchema } from '@wadi/protocol/gen/wadi/gates/v1/gates_pb.ts'
import { ManifestWorkers } from '@wadi/rendering/run/manifests/manifest-workers.ts'
import { noPlugins } from '@wadi/rendering/renderers/plugin/plugins.ts'
import { rules, source } from './gated-source-fixture.ts'
import { configMap, startBed } from './source-renderer-fixture.ts'

const { signal } = new AbortController()

/** A repository with a policy by which a value of a ConfigMap may not change, and how a hydrator renders it there. */
async function startUpdates(action = 'Deny') {
  const policy = `apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata: {name: fixed}
spec:
  matchConstraints: {resourceRules: [{apiGroups: [""], apiVersions: [v1], operations: [UPDATE], resources: [configmaps]}]}
  validations: [{expression: "object.data.size == oldObject.data.size", message: may not change}]
---
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicyBinding
metadata: {name: fixed}
spec: {policyName: fixed, validationActions: [${action}]}
`
  const sized = (size: number) => `${configMap('web')}data: {size: "${size}"}\n`
  const bed = await startBed({
    'app/a.yaml': sized(1),
    'policies/fixed.yaml': policy,
    'wadi.yaml': 'gates: {policies: deny}\npolicies: [policies]\n',
  })
  const dry = (former = '') => ({ ...source(bed), gates: create(GatesSchema, { former }) })
  return { bed, sized, policy, rules: (former?: string) => rules(bed, dry(former)), dry }
}

test('an object is judged as an update of the one that the hydrated branch holds, whatever was found before', async () => {
  const updates = await startUpdates()
  await using bed = updates.bed
  const { sized } = updates
  assert.equal((await bed.gated.inspect(updates.dry(), signal)).wantsFormer, true)
  assert.deepEqual(await updates.rules(), [])
  const denied = /policies\/fixed ConfigMap\/web: may not change/
  await assert.rejects(updates.rules(sized(2)), denied)
  // Denied again as long as the branch stays, and no longer when it has the same.
  await assert.rejects(updates.rules(sized(2)), denied)
  assert.deepEqual(await updates.rules(sized(1)), [])
  assert.deepEqual(await updates.rules(sized(2).replace('web', 'other')), [])
  await assert.rejects(updates.rules('a: [\n'), /manifest\.yaml of the hydrated branch/)
})

test('what an update found stays found while the branch holds its result', async () => {
  const updates = await startUpdates('Warn')
  await using bed = updates.bed
  const { sized, dry } = updates
  assert.deepEqual(await updates.rules(sized(2)), ['warn policies/fixed'])
  assert.equal((await bed.gated.inspect(dry(), signal)).findings.length, 1)
  // As after a commit, when the whole branch is compared.
  assert.deepEqual(await updates.rules(sized(1)), ['warn policies/fixed'])
  assert.equal((await bed.gated.inspect(dry(), signal)).findings.length, 1)
  // A fresh check judges what the branch holds.
  const { record } = await bed.gated.render(dry(sized(1)), true, signal)
  assert.deepEqual(record.findings, [])
  assert.deepEqual(await updates.rules(), [])
  assert.deepEqual((await bed.gated.inspect(dry(), signal)).findings, [])
})

test('policies that judge new and replaced objects alike do not ask for what the branch holds', async () => {
  const updates = await startUpdates()
  await using bed = updates.bed
  const alike = updates.policy.replace('[UPDATE]', '["*"]').replace(' == oldObject.data.size', " == '2'")
  bed.fixture.write('policies/fixed.yaml', alike)
  const { wantsFormer, keys } = await bed.gated.inspect(updates.dry(), signal)
  assert.equal(wantsFormer, false)
  await assert.rejects(updates.rules(updates.sized(1)), /may not change/)
  bed.fixture.write('wadi.yaml', 'gates: {secrets: deny}\npolicies: [policies]\n')
  assert.equal((await bed.gated.inspect(updates.dry(), signal)).wantsFormer, false)
  assert.ok(keys.includes('policies'))
})

/** A policy for ConfigMaps, with its binding. */
function configMapPolicy(expression: string): string {
  return `apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata: {name: named}
spec:
  matchConstraints: {resourceRules: [{apiGroups: [""], apiVersions: [v1], operations: [CREATE], resources: [configmaps]}]}
  validations: [{expression: "${expression}", message: is not named as it must be}]
---
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicyBinding
metadata: {name: named}
spec: {policyName: named, validationActions: [Deny]}
`
}

test('policies of the operator judge objects, whatever the repository says, and a change renders nothing', async () => {
  await using workers = new ManifestWorkers({ threads: 1 })
  const definition = {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    spec: { group: '', names: { kind: 'ConfigMap', plural: 'others' } },
  }
  const bindings = configMapPolicy('true').split('---')
  const files = {
    'app/a.yaml': configMap('web'),
    'app/definition.json': JSON.stringify({ ...definition, metadata: { name: 'configmaps' } }),
    'policies/a.json': JSON.stringify(definition),
    'policies/b.yaml': bindings.join('---'),
    'wadi.yaml':
      'policies: [policies]\ndefinitions: [policies]\nwaivers: [{rule: operator-policies, reason: demo, owner: shop, expires: 2999-12-31}]\n',
  }
  await using bed = await startBed(files, noPlugins, workers)
  const asked = (policiesId: string, unwaivable = 'deny') => ({
    ...bed.dry('app'),
    gates: create(GatesSchema, {
      severities: [{ gate: 'operator-policies', severity: 'deny', unwaivable }],
      policiesId,
    }),
    policySets: new Map(
      ['web', 'shop'].map((name) => [
        name,
        [{ file: 'cm/a.yaml', text: configMapPolicy(`object.metadata.name == '${name}'`) }],
      ]),
    ),
  })
  assert.deepEqual(await rules(bed, asked('web')), [])
  const { fingerprint } = await bed.gated.inspect(asked('web'), signal)
  // Workers that are closed render nothing more.
  await workers[Symbol.asyncDispose]()
  await assert.rejects(
    bed.gated.render(asked('shop'), false, signal),
    /operator-policies\/named ConfigMap\/web: .*is not named.*the waiver in wadi\.yaml does not cover it/,
  )
  assert.notEqual((await bed.gated.inspect(asked('shop'), signal)).fingerprint, fingerprint)
  assert.deepEqual(await rules(bed, asked('shop', '')), [])
  await assert.rejects(
    bed.gated.render(asked('absent'), false, signal),
    /lacks what the gate operator-policies checks by/,
  )
})

test('policies of the cluster judge beside those of the operator, and a change of them checks again', async () => {
  await using bed = await startBed({ 'app/a.yaml': configMap('web') })
  const severities = [
    { gate: 'operator-policies', severity: 'deny' },
    { gate: 'cluster-policies', severity: 'warn' },
  ]
  const asked = (clusterPoliciesId: string) => ({
    ...bed.dry('app'),
    gates: create(GatesSchema, { severities, policiesId: 'web', clusterPoliciesId }),
    policySets: new Map(
      ['web', 'shop'].map((name) => [
        name,
        [{ file: name, text: configMapPolicy(`object.metadata.name == '${name}'`) }],
      ]),
    ),
  })
  assert.deepEqual(await rules(bed, asked('web')), [])
  assert.deepEqual(await rules(bed, asked('shop')), ['warn cluster-policies/named'])
  await assert.rejects(rules(bed, asked('absent')), /lacks what the gate cluster-policies checks by/)
})

test('definitions of the cluster check custom resources unless the repository defines them, and their change checks again', async () => {
  const shop = '---\napiVersion: example.com/v1\nkind: Shop\nmetadata: {name: web}\nspec: {size: large}\n'
  await using bed = await startBed({ 'app/a.yaml': `${configMap('web')}${shop}`, 'wadi.yaml': '' })
  const definition = (type: string) => ({
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: 'shops.example.com' },
    spec: {
      group: 'example.com',
      scope: 'Namespaced',
      names: { kind: 'Shop', plural: 'shops' },
      versions: [{ name: 'v1', served: true, schema: { openAPIV3Schema: schemaOf(type) } }],
    },
  })
  const schemaOf = (type: string) => ({
    type: 'object',
    properties: { spec: { type: 'object', properties: { size: { type } } } },
  })
  const asked = (definitionsId: string) => ({
    ...bed.dry('app'),
    gates: create(GatesSchema, { severities: [{ gate: 'schemas', severity: 'warn' }], definitionsId }),
    policySets: new Map(
      ['string', 'integer'].map((type) => [type, [{ file: type, text: JSON.stringify(definition(type)) }]]),
    ),
  })
  assert.deepEqual(await rules(bed, asked('string')), [])
  assert.deepEqual(await rules(bed, asked('integer')), ['warn schemas/wrong-type'])
  assert.deepEqual(await rules(bed, asked('string')), [])
  await assert.rejects(rules(bed, asked('absent')), /lacks what the gate schemas checks by/)
  bed.fixture.write('crds/shop.json', JSON.stringify(definition('string')))
  bed.fixture.write('wadi.yaml', 'definitions: [crds]\n')
  assert.deepEqual(await rules(bed, asked('integer')), [])
})

test('a wrong policy of the operator denies, and names its file in the message alone', async () => {
  await using bed = await startBed({ 'app/a.yaml': configMap('web') })
  const severities = [{ gate: 'operator-policies', severity: 'deny' }]
  const dry = {
    ...bed.dry('app'),
    gates: create(GatesSchema, { severities, policiesId: 'a' }),
    policySets: new Map([['a', [{ file: 'wadi-policies-cm/a.yaml', text: configMapPolicy('objct.a') }]]]),
  }
  await assert.rejects(
    bed.gated.render(dry, false, signal),
    /\noperator-policies\/invalid ValidatingAdmissionPolicy\/named spec\.validations\[0\]\.expression: wadi-policies-cm\/a\.yaml:6.*: .*undeclared reference to 'objct'/,
  )
})

test('policies of the repository judge objects, and their change checks again', async () => {
  await using bed = await startBed({
    'app/a.yaml': configMap('web'),
    'policies/named.yaml': configMapPolicy("object.metadata.name == 'web'"),
    'wadi.yaml': 'gates: {policies: deny}\npolicies: [policies]\n',
  })
  assert.deepEqual(await rules(bed), [])
  bed.fixture.write('policies/named.yaml', configMapPolicy("object.metadata.name == 'shop'"))
  await assert.rejects(
    bed.gated.render(source(bed), false, signal),
    /policies\/named ConfigMap\/web: .*is not named/,
  )
})
