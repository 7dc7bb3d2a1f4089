import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readLocatedYaml } from '@wadi/params/yaml/located-yaml.ts'
import { type GateSettings, readGates } from './gate-settings.ts'

function read(text: string): GateSettings {
  return readGates(readLocatedYaml(text, 'wadi.yaml', { rules: 'kubernetes' }))
}

const nothing = { gates: {}, waivers: [], waiverAnnotations: [] }

const waiver =
  'waivers:\n- rule: secrets/aws\n  application: shop-*\n  reason: test data\n  owner: shop\n  expires: 2027-01-31\n'

test('each gate has a severity or is off', () => {
  for (const severity of ['deny', 'warn', 'audit', 'off', '"off"']) {
    const secrets = severity.replaceAll('"', '')
    assert.deepEqual(read(`gates: {secrets: ${severity}}\n`), { ...nothing, gates: { secrets } })
  }
  assert.deepEqual(read('tools: {}\n'), nothing)
})

test('Applications are named whose objects may have waivers in annotations', () => {
  assert.deepEqual(read('waiverAnnotations: [shop-*, web]\n').waiverAnnotations, ['shop-*', 'web'])
})

test('a waiver has a rule, a reason, an owner and a last day', () => {
  const [read1] = read(waiver).waivers
  assert.ok(read1)
  const { application, object, ...rest } = read1
  assert.deepEqual(rest, {
    rule: 'secrets/aws',
    reason: 'test data',
    owner: 'shop',
    expires: '2027-01-31',
    path: 'waivers[0]',
    at: { file: 'wadi.yaml', line: 2, column: 3 },
  })
  assert.deepEqual([application, object], ['shop-*', undefined])
})

test('wrong settings are errors with their place', () => {
  const errors: [text: string, message: RegExp][] = [
    ['gates: {secrets: denied}\n', /^wadi\.yaml:1:9: gates\.secrets must be deny, warn, audit or off$/],
    ['gates: {secret: deny}\n', /^wadi\.yaml:1:9: unknown field gates\.secret; did you mean secrets\?$/],
    ['gates: deny\n', /^wadi\.yaml:1:1: gates must be an object, not a string$/],
    ['waivers: {}\n', /^wadi\.yaml:1:1: waivers must be a list, not an object$/],
    [waiver.replace('  owner: shop\n', ''), /^wadi\.yaml:2:3: waivers\[0\]\.owner is required$/],
    [
      waiver.replace('secrets/aws', 'secret/aws'),
      /^wadi\.yaml:2:3: waivers\[0\]\.rule must be a gate \(secrets, [a-z, -]+\)/,
    ],
    [waiver.replace('01-31', '02-30'), /^wadi\.yaml:6:3: waivers\[0\]\.expires must be a day as YYYY-MM-DD$/],
    [waiver.replace('2027-01-31', 'never'), /^wadi\.yaml:6:3: waivers\[0\]\.expires must be a day/],
    [waiver.replace('shop-*', '"["'), /^wadi\.yaml:3:3: waivers\[0\]\.application is not a pattern: /],
    [waiver.replace('owner', 'owners'), /^wadi\.yaml:5:3: unknown field waivers\[0\]\.owners/],
    ['waiverAnnotations: shop\n', /^wadi\.yaml:1:1: waiverAnnotations must be a list, not a string$/],
    ['waiverAnnotations: ["["]\n', /^wadi\.yaml:1:1: waiverAnnotations is not a pattern: /],
    [`waivers:\n${'- {}\n'.repeat(1_001)}`, /^wadi\.yaml:1:1: waivers has 1001 items; at most 1000/],
  ]
  for (const [text, message] of errors) assert.throws(() => read(text), { message }, text)
})
