import assert from 'node:assert/strict'
import { test } from 'node:test'
import { create } from '@bufbuild/protobuf'
import { InvalidInputError } from '@wadi/errors/domain-error.ts'
import { GatesSchema } from '@wadi/protocol/gen/wadi/gates/v1/gates_pb.ts'
import { ManifestWorkers } from '@wadi/rendering/run/manifests/manifest-workers.ts'
import { noPlugins } from '@wadi/rendering/renderers/plugin/plugins.ts'
import { GatedRenderer, type GatedSource } from './gated-renderer.ts'
import { configMap, startBed } from './source-renderer-fixture.ts'

const { signal } = new AbortController()

const password = 'hunter2222'
const secret = `apiVersion: v1\nkind: Secret\nmetadata: {name: web, namespace: shop}\nstringData:\n  password: ${password}\n`

type Bed = Awaited<ReturnType<typeof startBed>>

/** The source `app` as a hydrator asks for it. */
function source(bed: Bed, ...asked: [gate: string, severity: string][]): GatedSource {
  const severities = asked.map(([gate, severity]) => ({ gate, severity }))
  return { ...bed.dry('app'), gates: create(GatesSchema, { severities }) }
}

async function rules(bed: Bed, dry = source(bed)): Promise<string[]> {
  const { record } = await bed.gated.render(dry, false, signal)
  return record.findings.map(({ rule, severity }) => `${severity} ${rule}`)
}

test('without gates nothing is checked and no fingerprint is another one', async () => {
  await using bed = await startBed({ 'app/a.yaml': secret })
  const plain = await bed.renderer.render(bed.dry('app'), false, signal)
  assert.deepEqual(await bed.gated.render(source(bed), false, signal), plain)
  bed.fixture.write('wadi.yaml', 'gates: {secrets: "off"}\n')
  assert.equal((await bed.gated.inspect(source(bed), signal)).fingerprint, plain.fingerprint)
  bed.fixture.write('wadi.yaml', 'gates: {secrets: deny}\n')
  // Who only looks at what is rendered asks for no gates.
  assert.deepEqual(await bed.gated.render(bed.dry('app'), false, signal), plain)
})

test('a denied object is the error of its source, with rule, object, field, place and advice, without the value', async () => {
  await using bed = await startBed({ 'app/a.yaml': secret, 'wadi.yaml': 'gates: {secrets: deny}\n' })
  await assert.rejects(bed.gated.render(source(bed), false, signal), (error) => {
    assert.ok(error instanceof InvalidInputError)
    assert.match(
      error.message,
      /^gates deny what it renders to.*\napp\/a\.yaml:5: secrets\/plain-secret Secret\/shop\/web stringData\.password: is a plain value.*SOPS$/,
    )
    assert.ok(!`${JSON.stringify(error)} ${error.message}`.includes(password))
    return true
  })
})

test('other settings check the objects again and render none, also those of the operator', async () => {
  await using workers = new ManifestWorkers({ threads: 1 })
  const files = { 'app/a.yaml': secret, 'wadi.yaml': 'gates: {secrets: audit}\n' }
  await using bed = await startBed(files, noPlugins, workers)
  const { fingerprint } = await bed.gated.render(source(bed), false, signal)
  // Workers that are closed render nothing more.
  await workers[Symbol.asyncDispose]()
  assert.deepEqual(await rules(bed), ['audit secrets/plain-secret'])
  bed.fixture.write('wadi.yaml', 'gates: {secrets: warn}\n')
  assert.deepEqual(await rules(bed), ['warn secrets/plain-secret'])
  assert.notEqual((await bed.gated.inspect(source(bed), signal)).fingerprint, fingerprint)
  bed.fixture.write('wadi.yaml', 'gates: {secrets: "off"}\n')
  assert.deepEqual(await rules(bed), [])
  assert.deepEqual(await rules(bed, source(bed, ['secrets', 'warn'])), ['warn secrets/plain-secret'])
  await assert.rejects(bed.gated.render(source(bed, ['secrets', 'deny']), false, signal), /gates deny/)
  bed.fixture.write('wadi.yaml', 'gates: {secrets: deny}\n')
  await assert.rejects(bed.gated.render(source(bed, ['secrets', 'off']), false, signal), /gates deny/)
})

test('an inspection has the findings of the render, also in another process, and warns of them', async () => {
  await using bed = await startBed({ 'app/a.yaml': secret, 'wadi.yaml': 'gates: {secrets: warn}\n' })
  assert.deepEqual((await bed.gated.inspect(source(bed), signal)).findings, [])
  const { changes } = bed.gated
  const { position } = changes
  const { record } = await bed.gated.render(source(bed), false, signal)
  const [finding] = record.findings
  assert.deepEqual([finding?.place?.file, finding?.place?.line], ['app/a.yaml', 5])
  await using other = new GatedRenderer(bed.open())
  for (const renderer of [bed.gated, other]) {
    const { findings, warnings, keys } = await renderer.inspect(source(bed), signal)
    assert.deepEqual(findings, record.findings)
    assert.deepEqual(warnings, record.warnings)
    assert.match(
      warnings.join(),
      /^secrets\/plain-secret Secret\/shop\/web stringData\.password: is a plain value/,
    )
    assert.ok(changes.since(position)?.some((key) => keys.includes(key)))
  }
})

test('a waiver counts until its last day, and the fingerprint is another one from then on', async () => {
  const waivers = (expires: string): string =>
    `waivers: [{rule: secrets, application: web, reason: demo, owner: shop, expires: ${expires}}]\n`
  await using bed = await startBed({ 'app/a.yaml': secret })
  bed.fixture.write('wadi.yaml', `gates: {secrets: deny}\n${waivers('2027-01-31')}`)
  assert.deepEqual(await rules(bed), [])
  const valid = await bed.gated.inspect(source(bed), signal)
  assert.equal(valid.dependsOnDay, true)
  await using tomorrow = new GatedRenderer(bed.renderer, () => '2027-02-01')
  assert.notEqual((await tomorrow.inspect(source(bed), signal)).fingerprint, valid.fingerprint)
  await assert.rejects(tomorrow.render(source(bed), false, signal), /gates deny/)
})

test("a waiver of the repository does not cover the operator's gates, unless the operator says so", async () => {
  await using bed = await startBed({ 'app/a.yaml': secret })
  const waiver = '{rule: secrets, reason: demo, owner: shop, expires: 2999-12-31}'
  bed.fixture.write('wadi.yaml', `gates: {secrets: deny}\nwaivers: [${waiver}]\n`)
  const asked = (unwaivable: string): GatedSource => ({
    ...bed.dry('app'),
    gates: create(GatesSchema, { severities: [{ gate: 'secrets', severity: 'deny', unwaivable }] }),
  })
  await assert.rejects(
    bed.gated.render(asked('deny'), false, signal),
    /operator leaves.*\napp\/a\.yaml:5: secrets\/plain-secret .*the waiver in wadi\.yaml does not cover it/,
  )
  assert.deepEqual(await rules(bed, asked('audit')), ['audit secrets/plain-secret'])
  assert.deepEqual(await rules(bed, asked('')), [])
  await assert.rejects(
    bed.gated.inspect(asked('never'), signal),
    /gate "secrets" with severity "never" is not known/,
  )
})

test('objects without findings pass, and the removed versions are those of the cluster that options name', async () => {
  const ingress = configMap('web').replace('v1\nkind: ConfigMap', 'extensions/v1beta1\nkind: Ingress')
  await using bed = await startBed({ 'app/a.yaml': configMap('web'), 'app/b.yaml': ingress })
  assert.deepEqual(await rules(bed, source(bed, ['secrets', 'deny'])), [])
  assert.deepEqual(await rules(bed, source(bed, ['api-versions', 'audit'])), ['audit api-versions/removed'])
})

test('a gate that is not known is an error', async () => {
  await using bed = await startBed({ 'app/a.yaml': secret })
  await assert.rejects(
    bed.gated.inspect(source(bed, ['other', 'deny']), signal),
    /gate "other".*not known to this repo-server/,
  )
})

test('custom kinds are checked by the definitions that the repository names, whose change is another fingerprint', async () => {
  const definition = (type: string): string =>
    JSON.stringify({
      apiVersion: 'apiextensions.k8s.io/v1',
      kind: 'CustomResourceDefinition',
      metadata: { name: 'things.example.com' },
      spec: {
        group: 'example.com',
        names: { kind: 'Thing', plural: 'things' },
        scope: 'Namespaced',
        versions: [
          {
            name: 'v1',
            served: true,
            storage: true,
            schema: {
              openAPIV3Schema: {
                type: 'object',
                properties: { spec: { type: 'object', properties: { size: { type } } } },
              },
            },
          },
        ],
      },
    })
  const thing = 'apiVersion: example.com/v1\nkind: Thing\nmetadata: {name: web}\nspec: {size: 3}\n'
  await using bed = await startBed({
    'app/a.yaml': thing,
    'definitions/things.json': definition('integer'),
    'wadi.yaml': 'gates: {schemas: deny}\ndefinitions: definitions\n',
  })
  assert.deepEqual(await rules(bed), [])
  const { fingerprint, keys } = await bed.gated.inspect(source(bed), signal)
  assert.ok(keys.includes('definitions'))
  bed.fixture.write('definitions/things.json', definition('string'))
  await assert.rejects(bed.gated.render(source(bed), false, signal), /schemas\/.* Thing\/web spec\.size/)
  assert.notEqual((await bed.gated.inspect(source(bed), signal)).fingerprint, fingerprint)
})

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
  const { record } = await bed.gated.render(dry(sized(1)), true, signal)
  assert.equal(record.findings.length, 1)
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

test('policies of the repository judge objects, and their change checks again', async () => {
  const policy = (expression: string): string => `apiVersion: admissionregistration.k8s.io/v1
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
  await using bed = await startBed({
    'app/a.yaml': configMap('web'),
    'policies/named.yaml': policy("object.metadata.name == 'web'"),
    'wadi.yaml': 'gates: {policies: deny}\npolicies: [policies]\n',
  })
  assert.deepEqual(await rules(bed), [])
  bed.fixture.write('policies/named.yaml', policy("object.metadata.name == 'shop'"))
  await assert.rejects(
    bed.gated.render(source(bed), false, signal),
    /policies\/named ConfigMap\/web: .*is not named/,
  )
})
