import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readLocatedYaml } from '@wadi/params/yaml/located-yaml.ts'
import { applyWaivers } from './apply-waivers.ts'
import type { Finding } from './finding.ts'
import { readGates } from './settings/gate-settings.ts'
import type { Waiver } from './settings/read-waiver.ts'
import { type ApplicationWaivers, waiversOf } from './settings/waivers-of.ts'

function finding(rule: string, kind: string, name: string): Finding {
  const object = { group: '', version: 'v1', kind, namespace: 'shop', name }
  return { rule, severity: 'deny', object, field: 'data.a', message: 'is wrong', at: undefined }
}

const findings = [
  finding('secrets/aws', 'ConfigMap', 'web'),
  finding('secrets/aws', 'ConfigMap', 'db'),
  finding('secrets/plain-secret', 'Secret', 'web'),
]

function waivers(...lines: readonly string[]): readonly Waiver[] {
  const items = lines.map((line) => `- {reason: test data, owner: shop, expires: 2027-01-31, ${line}}\n`)
  const text = `waivers:\n${items.join('')}`
  return readGates(readLocatedYaml(text, 'wadi.yaml', { rules: 'kubernetes' })).waivers
}

function given(line: string): ApplicationWaivers {
  return { waivers: waivers(line), acceptsAnnotations: false }
}

function remaining(today: string, ...lines: readonly string[]): string[] {
  const own = waiversOf({ waivers: waivers(...lines), waiverAnnotations: [] }, 'shop-web')
  return applyWaivers(findings, { ...own, today }, []).findings.map(
    ({ rule, object }) => `${rule} ${object.name}`,
  )
}

test('a waiver covers a gate or a rule, of objects and Applications that match', () => {
  assert.deepEqual(remaining('2027-01-31', 'rule: secrets'), [])
  assert.deepEqual(remaining('2027-01-31', 'rule: secrets/aws'), ['secrets/plain-secret web'])
  assert.deepEqual(remaining('2027-01-31', 'rule: secrets, object: "*/shop/web"'), ['secrets/aws db'])
  assert.equal(remaining('2027-01-31', 'rule: secrets, application: "web-*"').length, 3)
  assert.deepEqual(remaining('2027-01-31', 'rule: secrets, application: "shop-*"'), [])
})

test('from the day after its last one a waiver covers nothing', () => {
  const { findings: rest, covered } = applyWaivers(
    findings,
    { ...given('rule: secrets/aws'), today: '2027-02-01' },
    [],
  )
  assert.deepEqual([rest, covered], [findings, []])
})

test('a waived finding is reported with its waiver', () => {
  const { covered } = applyWaivers(findings, { ...given('rule: secrets/aws'), today: '2027-01-01' }, [])
  assert.equal(covered.length, 2)
  const [first] = covered
  assert.deepEqual([first?.rule, first?.severity], ['secrets/aws', 'deny'])
  assert.deepEqual([first?.waiver.owner, first?.waiver.expires], ['shop', '2027-01-31'])
})

test('a waiver covers what the repository itself asks for, not what the operator asks for', () => {
  const covered = (kept: 'deny' | 'warn' | 'off') =>
    applyWaivers(
      findings,
      {
        ...given('rule: secrets/aws'),
        today: '2027-01-01',
        unwaivable: { secrets: kept, schemas: 'deny' },
      },
      [],
    )
  const severities = (kept: 'deny' | 'warn' | 'off') =>
    covered(kept).findings.map(({ rule, severity }) => `${severity} ${rule}`)
  assert.deepEqual(severities('deny'), ['deny secrets/aws', 'deny secrets/aws', 'deny secrets/plain-secret'])
  assert.deepEqual(severities('warn'), ['warn secrets/aws', 'warn secrets/aws', 'deny secrets/plain-secret'])
  assert.deepEqual(severities('off'), ['deny secrets/plain-secret'])
  assert.deepEqual([covered('warn').covered.length, covered('off').covered.length], [0, 2])
  assert.match(
    covered('warn').findings[0]?.message ?? '',
    /^is wrong; the waiver in wadi\.yaml does not cover it/,
  )
})
