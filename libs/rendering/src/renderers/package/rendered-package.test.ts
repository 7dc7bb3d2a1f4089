import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readLocatedYaml } from '@wadi/params/yaml/located-yaml.ts'
import { packageOptions } from './rendered-package.ts'

test('variables of a Render apply in whatever case they are written, as those of a configuration do', () => {
  const { variables } = packageOptions(readLocatedYaml('variables: {level: warn, REGION: eu}\n', 'a.yaml'))
  const values = Array.from(variables ?? [], ([name, { value }]) => [name, value])
  assert.deepEqual(values, [
    ['LEVEL', 'warn'],
    ['REGION', 'eu'],
  ])
})
