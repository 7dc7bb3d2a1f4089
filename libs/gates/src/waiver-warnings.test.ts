import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { GateSeverities } from './gate-names.ts'
import type { GateContext } from './gate.ts'
import { readGates } from './settings/gate-settings.ts'
import { readLocatedYaml } from '@wadi/params/yaml/located-yaml.ts'
import { runGates } from './run-gates.ts'

function policy(name: string): NonNullable<GateContext['policies']> {
  const text = `apiVersion: admissionregistration.k8s.io/v1\nkind: ValidatingAdmissionPolicy\nmetadata: {name: ${name}}\n`
  return [{ file: 'policies/a.yaml', text }]
}

interface Given {
  readonly severities?: GateSeverities
  readonly context?: Partial<GateContext>
  readonly today?: string
}

/** Returns the warnings about a waiver of `wadi.yaml` for a rule. */
async function warningsOf(rule: string, { severities = {}, context = {}, today = '2027-01-31' }: Given) {
  const text = `gates: {}\nwaivers:\n- rule: ${rule}\n  reason: test data\n  owner: shop\n  expires: 2027-01-31\n`
  const { waivers } = readGates(readLocatedYaml(text, 'wadi.yaml', { rules: 'kubernetes' }))
  const { warnings } = await runGates([], {
    severities,
    waivers,
    acceptsAnnotations: false,
    today,
    context: { cluster: { minorVersion: 30 }, ...context },
  })
  return warnings.map(({ rule: found, severity, field, message, at }) => {
    assert.deepEqual([severity, field, at?.file, at?.line], ['warn', 'waivers[0]', 'wadi.yaml', 3])
    return `${found}: ${message}`
  })
}

const own: GateSeverities = { secrets: 'deny', 'api-versions': 'warn', schemas: 'audit' }

test('from the day after its last one a waiver is a warning', async () => {
  assert.deepEqual(await warningsOf('secrets/awss', { today: '2027-02-01' }), [
    'waivers/expired: the waiver of shop for secrets/awss expired on 2027-01-31; remove it, after its cause',
  ])
})

test('a waiver for a rule that its gate does not have is a warning that says which one is meant', async () => {
  const wrong: [rule: string, message: RegExp][] = [
    [
      'secrets/awss',
      /^waivers\/unknown: the waiver of shop for secrets\/awss covers nothing: unknown rule of the gate secrets; did you mean aws\?$/,
    ],
    ['secrets/AWS', /did you mean aws\?$/],
    ['secrets/pasword', /did you mean password\?$/],
    [
      'secrets/plain-secret/data',
      /; expected one of plain-secret, password, private-key, url-password, .* and \d+ more$/,
    ],
    ['api-versions/remove', /did you mean removed\?$/],
    ['schemas/unknown-fields', /did you mean unknown-field\?$/],
    ['schemas/', /; expected one of unknown-field, /],
  ]
  for (const [rule, message] of wrong) {
    const [found = '', ...more] = await warningsOf(rule, { severities: own })
    assert.match(found, message)
    assert.deepEqual(more, [])
  }
  for (const rule of [
    'secrets',
    'secrets/github',
    'secrets/url-password',
    'api-versions/removed',
    'schemas/enum',
  ])
    assert.deepEqual(await warningsOf(rule, { severities: own }), [], rule)
})

test('a waiver for a gate that is off says nothing', async () => {
  for (const severities of [{}, { secrets: 'off' }] as const)
    assert.deepEqual(await warningsOf('secrets/awss', { severities }), [])
})

test('a policy of the repository is known by its name', async () => {
  const given = { severities: { policies: 'deny' }, context: { policies: policy('no-latest') } } as const
  assert.deepEqual(await warningsOf('policies/no-latest', given), [])
  assert.deepEqual(await warningsOf('policies/invalid', given), [])
  assert.match((await warningsOf('policies/no-lates', given)).join(), /did you mean no-latest\?$/)
  assert.match((await warningsOf('policies/other', given)).join(), /expected one of invalid, no-latest$/)
})

test('of policies and programs of the operator, which may be others elsewhere, only a misspelt one is a warning', async () => {
  const cases: [prefix: string, given: Given][] = [
    [
      'operator-policies',
      { severities: { 'operator-policies': 'deny' }, context: { operatorPolicies: policy('no-latest') } },
    ],
    [
      'cluster-policies',
      { severities: { 'cluster-policies': 'deny' }, context: { clusterPolicies: policy('no-latest') } },
    ],
    ['programs', { severities: { programs: 'deny' }, context: { programs: ['no-latest'] } }],
  ]
  for (const [gate, given] of cases) {
    assert.deepEqual(await warningsOf(`${gate}/no-latest`, given), [])
    assert.deepEqual(await warningsOf(`${gate}/elsewhere`, given), [])
    assert.match((await warningsOf(`${gate}/no-lates`, given)).join(), /did you mean no-latest\?$/)
  }
  const [, given] = cases[2] ?? []
  assert.deepEqual(await warningsOf('programs/no-latest/its-own', given ?? {}), [])
})
