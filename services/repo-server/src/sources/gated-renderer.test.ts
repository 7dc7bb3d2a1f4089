import assert from 'node:assert/strict'
import { test } from 'node:test'
import { create } from '@bufbuild/protobuf'
import { InvalidInputError } from '@wadi/errors/domain-error.ts'
import { GatesSchema } from '@wadi/protocol/gen/wadi/gates/v1/gates_pb.ts'
import { ManifestWorkers } from '@wadi/rendering/run/manifests/manifest-workers.ts'
import { noPlugins } from '@wadi/rendering/renderers/plugin/plugins.ts'
import { GatedRenderer, type GatedSource } from './gated-renderer.ts'
import { rules, source } from './gated-source-fixture.ts'
import { configMap, startBed } from './source-renderer-fixture.ts'

const { signal } = new AbortController()

const password = 'hunter2222'
const secret = `apiVersion: v1\nkind: Secret\nmetadata: {name: web, namespace: shop}\nstringData:\n  password: ${password}\n`

test('without gates nothing is checked and no fingerprint is another one', async () => {
  await using bed = await startBed({ 'app/a.yaml': secret })
  const plain = await bed.renderer.render(bed.dry('app'), false, signal)
  const again = { ...plain, cached: true }
  assert.deepEqual(await bed.gated.render(source(bed), false, signal), again)
  bed.fixture.write('wadi.yaml', 'gates: {secrets: "off"}\n')
  assert.equal((await bed.gated.inspect(source(bed), signal)).fingerprint, plain.fingerprint)
  bed.fixture.write('wadi.yaml', 'gates: {secrets: deny}\n')
  // Who only looks at what is rendered asks for no gates.
  assert.deepEqual(await bed.gated.render(bed.dry('app'), false, signal), again)
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

test('a waiver in an annotation counts until its last day: then the objects are checked again', async () => {
  const item = '{rule: secrets, reason: demo, owner: shop, expires: 2027-01-31}'
  const waived = secret.replace(
    'namespace: shop',
    `namespace: shop, annotations: {wadi.dev/waivers: '[${item}]'}`,
  )
  await using bed = await startBed({
    'app/a.yaml': waived,
    'wadi.yaml': 'gates: {secrets: deny}\nwaiverAnnotations: [web]\n',
  })
  await using early = new GatedRenderer(bed.renderer, () => '2027-01-31')
  const unchecked = await early.inspect(source(bed), signal)
  const { fingerprint, record, manifests } = await early.render(source(bed), false, signal)
  assert.deepEqual([record.findings.length, record.coveredFindings.length], [0, 1])
  assert.match(manifests.join(), /wadi\.dev\/waivers/)
  const valid = await early.inspect(source(bed), signal)
  assert.deepEqual([valid.fingerprint, valid.dependsOnDay, valid.covered.length], [fingerprint, true, 1])
  // Without what the check found, as on another machine, it is to be made again.
  assert.notEqual(unchecked.fingerprint, fingerprint)
  await using late = new GatedRenderer(bed.renderer, () => '2027-02-01')
  assert.notEqual((await late.inspect(source(bed), signal)).fingerprint, fingerprint)
  await assert.rejects(late.render(source(bed), false, signal), /gates deny/)
  bed.fixture.write('wadi.yaml', 'gates: {secrets: audit}\nwaiverAnnotations: [web]\n')
  const audited = await late.render(source(bed), false, signal)
  assert.deepEqual(
    audited.record.findings.map(({ rule, place }) => [rule, place?.file, place?.line]),
    [
      ['waivers/expired', 'app/a.yaml', 3],
      ['secrets/plain-secret', 'app/a.yaml', 5],
    ],
  )
  const after = await late.inspect(source(bed), signal)
  assert.deepEqual([after.fingerprint, after.dependsOnDay], [audited.fingerprint, false])
})

test('a waiver for an unknown rule is a warning with its line', async () => {
  const waiver = '{rule: secrets/plain, reason: demo, owner: shop, expires: 2999-12-31}'
  await using bed = await startBed({
    'app/a.yaml': secret,
    'wadi.yaml': `gates: {secrets: audit}\nwaivers:\n- ${waiver}\n`,
  })
  const { record } = await bed.gated.render(source(bed), false, signal)
  assert.deepEqual(
    record.findings.map(({ rule, severity, place }) => [rule, severity, place?.file, place?.line]),
    [
      ['secrets/plain-secret', 'audit', 'app/a.yaml', 5],
      ['waivers/unknown', 'warn', 'wadi.yaml', 3],
    ],
  )
  assert.match(
    record.warnings.join('\n'),
    /waivers\/unknown .*: the waiver of shop for secrets\/plain covers nothing/,
  )
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

test("the cluster of the operator's gates is never older than Wadi knows, whatever the repository names", async () => {
  await using bed = await startBed({
    'app/Chart.yaml': 'apiVersion: v2\nname: web\nversion: 1.0.0\n',
    'app/templates/a.yaml': configMap('web').replace(
      'v1\nkind: ConfigMap',
      'extensions/v1beta1\nkind: Ingress',
    ),
    'app/.argocd-source.yaml': 'helm: {kubeVersion: "1.15"}\n',
    'wadi.yaml': 'gates: {api-versions: audit}\n',
  })
  assert.deepEqual(await rules(bed), [])
  assert.deepEqual(await rules(bed, source(bed, ['api-versions', 'off'])), [])
  assert.deepEqual(await rules(bed, source(bed, ['api-versions', 'warn'])), ['warn api-versions/removed'])
})

test("the version that the operator names is the cluster's, whatever the source names", async () => {
  const budget = configMap('web').replace(
    'v1\nkind: ConfigMap',
    'flowcontrol.apiserver.k8s.io/v1beta3\nkind: FlowSchema',
  )
  await using bed = await startBed({ 'app/a.yaml': budget, 'wadi.yaml': 'gates: {api-versions: audit}\n' })
  const named = (kubernetesVersion: string) => ({
    ...bed.dry('app'),
    gates: create(GatesSchema, { kubernetesVersion }),
  })
  assert.deepEqual(await rules(bed, named('')), [])
  assert.deepEqual(await rules(bed, named('1.32')), ['audit api-versions/removed'])
  const { record } = await bed.gated.render(named('1.31'), false, signal)
  assert.deepEqual([record.findings, record.gateRuns[0]?.kubernetesVersion], [[], '1.31'])
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
