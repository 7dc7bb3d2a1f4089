import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Manifest } from '@wadi/manifests/manifest.ts'
import { readObjectWaivers, waiverAnnotation } from './object-waivers.ts'
import { runGates } from './run-gates.ts'

const item = '{rule: secrets/plain-secret, reason: test data, owner: shop, expires: 2027-01-31}'

function secret(annotation: Manifest[string], name = 'web', group = ''): Manifest {
  return {
    apiVersion: group === '' ? 'v1' : `${group}/v1`,
    kind: 'Secret',
    metadata: { name, namespace: 'shop', annotations: { [waiverAnnotation]: annotation } },
    stringData: { password: 'hunter22' },
  }
}

interface Given {
  readonly acceptsAnnotations?: boolean
  readonly today?: string
  readonly unwaivable?: 'deny' | 'audit'
}

/** Runs the gate for secrets; by default annotations are accepted, before they expire. */
async function check(manifests: readonly Manifest[], given: Given = {}) {
  const { acceptsAnnotations = true, today = '2027-01-31', unwaivable } = given
  return runGates(manifests, {
    severities: { secrets: 'deny' },
    waivers: [],
    acceptsAnnotations,
    today,
    ...(unwaivable && { unwaivable: { secrets: unwaivable } }),
    context: { cluster: { minorVersion: 30 } },
  })
}

test('a waiver in an annotation covers what is found in its object alone', async () => {
  const plain = { ...secret('', 'plain'), metadata: { name: 'plain', namespace: 'shop' } }
  const { findings, covered, lastDay } = await check([secret(`[${item}]`), secret('', 'other'), plain])
  assert.deepEqual(
    findings.map(({ rule, object }) => `${rule} ${object.name}`),
    ['secrets/plain-secret other', 'secrets/plain-secret plain'],
  )
  assert.deepEqual(
    covered.map(({ object, waiver }) => [object.name, waiver]),
    [['web', { owner: 'shop', reason: 'test data', expires: '2027-01-31' }]],
  )
  assert.equal(lastDay, '2027-01-31')
})

test('a waiver covers its rule or gate, and the kind of another group is another object', async () => {
  const rulesOf = async (annotation: string) =>
    (await check([secret(annotation)])).findings.map(({ rule }) => rule)
  assert.deepEqual(await rulesOf(`[${item.replace('/plain-secret', '')}]`), [])
  assert.deepEqual(await rulesOf(`[${item.replace('plain-secret', 'aws')}]`), ['secrets/plain-secret'])
  assert.deepEqual(await rulesOf(`[${item.replace('secrets/plain-secret', 'schemas')}]`), [
    'secrets/plain-secret',
  ])
  const token = ['ghp', 'wWPw5k4aXcaT4fNP0UcnZwJUVFk6LO0pINUx'].join('_')
  const custom = {
    ...secret(`[${item.replace('plain-secret', 'github')}]`, 'web', 'example.com'),
    spec: { token },
  }
  const core = { ...custom, apiVersion: 'v1', metadata: { name: 'web', namespace: 'shop' }, stringData: {} }
  const { findings, covered } = await check([core, custom])
  assert.deepEqual(
    [findings, covered].map((found) => found.map(({ rule, object }) => `${rule} ${object.group}`)),
    [['secrets/github '], ['secrets/github example.com']],
  )
})

test('where the Application is not named, an annotation covers nothing, and the finding says so', async () => {
  const { findings, covered, lastDay } = await check([secret(`[${item}]`)], { acceptsAnnotations: false })
  assert.deepEqual([findings.length, covered.length, lastDay], [1, 0, undefined])
  assert.match(
    findings[0]?.message ?? '',
    /; its annotation wadi\.dev\/waivers does not cover it, as waiverAnnotations in wadi\.yaml does not name the Application$/,
  )
  assert.equal(findings[0]?.severity, 'deny')
})

test("an annotation covers nothing of the operator's gate: the finding keeps the operator's severity", async () => {
  for (const unwaivable of ['deny', 'audit'] as const) {
    const { findings, covered } = await check([secret(`[${item}]`)], { unwaivable })
    assert.deepEqual(
      findings.map(({ severity }) => severity),
      [unwaivable],
    )
    assert.match(
      findings[0]?.message ?? '',
      /annotation wadi\.dev\/waivers does not cover it, as the operator asks/,
    )
    assert.equal(covered.length, 0)
  }
})

test('from the day after its last one a waiver covers nothing and is a warning of its object', async () => {
  const annotation = `- rule: secrets\n  reason: test data\n  owner: shop\n  expires: 2027-01-31\n`
  const expired = await check([secret(annotation)], { today: '2027-02-01' })
  assert.deepEqual(
    expired.findings.map(({ rule, severity, object, field }) => [rule, severity, object.name, field]),
    [
      ['secrets/plain-secret', 'deny', 'web', 'stringData.password'],
      ['waivers/expired', 'warn', 'web', 'metadata.annotations.wadi.dev/waivers[0]'],
    ],
  )
  assert.match(
    expired.findings[1]?.message ?? '',
    /the waiver of shop for secrets expired on 2027-01-31; remove it/,
  )
  assert.deepEqual(expired.findings[1]?.written.slice(1, 3), ['- rule: secrets', 'reason: test data'])
  const ignored = await check([secret(annotation)], { today: '2027-02-01', acceptsAnnotations: false })
  assert.deepEqual(
    ignored.findings.map(({ rule }) => rule),
    ['secrets/plain-secret'],
  )
})

test('a waiver for an unknown rule is a warning of its object, where annotations are accepted', async () => {
  const annotation = `- rule: secrets/plain\n  reason: test data\n  owner: shop\n  expires: 2027-01-31\n`
  const { findings } = await check([secret(''), secret(annotation, 'db')])
  const unknown = findings.filter(({ rule }) => rule === 'waivers/unknown')
  assert.deepEqual(
    unknown.map(({ severity, object, field, position }) => [severity, object.name, field, position]),
    [['warn', 'db', 'metadata.annotations.wadi.dev/waivers[0]', 1]],
  )
  assert.equal(unknown[0]?.written[1], '- rule: secrets/plain')
  const ignored = await check([secret(annotation)], { acceptsAnnotations: false })
  assert.deepEqual(
    ignored.findings.map(({ rule }) => rule),
    ['secrets/plain-secret'],
  )
})

test('a wrong annotation covers nothing, and is a warning that says what to do', async () => {
  const owners = '- rule: secrets\n  reason: a\n  owners: shop\n  expires: 2027-01-31\n'
  const wrong: [annotation: Manifest[string], message: RegExp, written: string][] = [
    [owners, /^unknown field wadi\.dev\/waivers\[0\]\.owners; did you mean owner\?/, 'owners: shop'],
    [
      `[${item.replace('secrets/', 'secret/')}]`,
      /^wadi\.dev\/waivers\[0\]\.rule must be a gate \(secrets/,
      `[${item.replace('secrets/', 'secret/')}]`,
    ],
    [
      `[${item.replace(', owner: shop', '')}]`,
      /\.owner is required/,
      `[${item.replace(', owner: shop', '')}]`,
    ],
    [
      `[${item.replace('01-31', '02-30')}]`,
      /\.expires must be a day as YYYY-MM-DD/,
      `[${item.replace('01-31', '02-30')}]`,
    ],
    [`[${item.replace('reason', 'application: a, reason')}]`, /unknown field .*\.application/, ''],
    ['shop accepts it', /^wadi\.dev\/waivers must be a list, not a string/, 'shop accepts it'],
    ['- [', /did not find|expected|flow/i, '- ['],
    [`[${item}] # ${'x'.repeat(16 * 1024)}`, /larger than the limit of 16384 bytes/, ''],
    [['secrets'], /^must be a string with YAML/, ''],
  ]
  for (const [annotation, message, written] of wrong) {
    const { findings, covered } = await check([secret(annotation)])
    assert.deepEqual(
      findings.map(({ rule, severity, field }) => [rule, severity, field]),
      [
        ['secrets/plain-secret', 'deny', 'stringData.password'],
        ['waivers/invalid', 'warn', 'metadata.annotations.wadi.dev/waivers'],
      ],
    )
    assert.match(findings[1]?.message ?? '', message)
    assert.match(findings[1]?.message ?? '', /; until then the annotation waives nothing$/)
    if (written !== '') assert.equal(findings[1]?.written[0], written)
    assert.equal(covered.length, 0)
  }
})

test('the objects of a source have at most 1,000 waivers in annotations', () => {
  const annotation = `[${Array.from({ length: 100 }, () => item).join(', ')}]`
  const objects = Array.from({ length: 11 }, (_, index) => secret(annotation, `web-${index}`))
  const { waivers, invalid } = readObjectWaivers(objects)
  assert.equal(waivers.length, 1_000)
  assert.deepEqual(
    invalid.map(({ object, message }) => [object.name, /above the 1000 waivers/.test(message)]),
    [['web-10', true]],
  )
})
