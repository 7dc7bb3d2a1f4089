import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readLocatedYaml } from '@wadi/params/yaml/located-yaml.ts'
import { type Finding, formatFinding } from '../lint/finding.ts'
import { clusterState } from './cluster-state.ts'

test('what x-wadi.state sets must be known and of the right type', () => {
  const findings: Finding[] = []
  const given = 'Distro: [a]\nRegistry: text\nStorageClas: fast\nIPFamily: ipv4\n'
  const state = clusterState(readLocatedYaml(given, 'p/zarf.yaml'), findings)
  assert.deepEqual(findings.map(formatFinding), [
    'p/zarf.yaml:1:1: x-wadi.state.Distro must be a string, not a list',
    'p/zarf.yaml:2:1: x-wadi.state.Registry must be an object, not a string',
    'p/zarf.yaml:3:1: unknown field x-wadi.state.StorageClas; did you mean StorageClass?',
  ])
  assert.equal(state.get('IPFamily'), 'ipv4')
})

test('a secret part of the state is named and cannot be set', () => {
  const findings: Finding[] = []
  clusterState(readLocatedYaml('Git: {PushPassword: x}\n', 'p/zarf.yaml'), findings)
  assert.match(findings.map(formatFinding).join(), /x-wadi\.state\.Git\.PushPassword is secret/)
})
