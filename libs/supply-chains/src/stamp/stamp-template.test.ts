import assert from 'node:assert/strict'
import { test } from 'node:test'
import { FailedPreconditionError } from '@wadi/errors/domain-error.ts'
import { partAt } from '@wadi/params/values/located.ts'
import { chainOf, rejection, stampFiles, template } from '../chain-fixture.ts'
import { goJsonValue } from './go-json.ts'

test('a template in ytt is run by who can, and refused where nobody can', async () => {
  const files = chainOf(
    '    - {name: r, params: [{name: p, value: {k: 1}}], templateRef: {kind: ClusterTemplate, name: t}}\n',
    template('ClusterTemplate', 't', '  ytt: |\n    kind: X\n'),
  )
  assert.deepEqual(await rejection(files), [
    'platform/templates.yaml:6: unable to stamp object for resource [r] for template [ClusterTemplate/t] in supply chain [sc]: template "t" uses ytt, which is not installed here: write spec.template, or install ytt beside cmp-server',
  ])
  const asked: string[] = []
  const stamped = await stampFiles(files, async (text, values) => {
    asked.push(
      text,
      goJsonValue(values.get('params') ?? null),
      String(values.has('workload') && !values.has('source')),
    )
    return 'apiVersion: v1\nkind: X\nmetadata: {name: made}\n'
  })
  assert.deepEqual(asked, ['kind: X\n', '{"p":{"k":1}}', 'true'])
  assert.equal(
    stamped.objects[0] && partAt(stamped.objects[0].located, ['metadata', 'namespace'])?.value,
    'ns',
  )
  const without = stampFiles(files, () => {
    throw new FailedPreconditionError('there is no ytt on the PATH of cmp-server; put ytt there')
  })
  await assert.rejects(without, {
    name: 'InvalidInputError',
    message:
      'platform/templates.yaml:6: unable to stamp object for resource [r] for template [ClusterTemplate/t] in supply chain [sc]: template "t" uses ytt, which cannot be run: there is no ytt on the PATH of cmp-server; put ytt there',
  })
  const elsewhere = async () => 'apiVersion: v1\nkind: X\nmetadata: {name: x, namespace: other}\n'
  await assert.rejects(stampFiles(files, elsewhere), /cannot set namespace in resource template$/)
  await assert.rejects(
    stampFiles(files, async () => 'a: 1\n---\nb: 2\n'),
    /unable to apply ytt template: a ytt template must return one object, not 2/,
  )
})
