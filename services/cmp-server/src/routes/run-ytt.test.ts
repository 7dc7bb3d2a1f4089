import assert from 'node:assert/strict'
import { readdir } from 'node:fs/promises'
import { delimiter } from 'node:path'
import { test } from 'node:test'
import { FailedPreconditionError, InvalidInputError } from '@wadi/errors/domain-error.ts'
import { startCommandServer } from '../commands/command-server-fixture.ts'
import { findProgram } from '@wadi/containment/find-program.ts'

const template = `#@ load("@ytt:data", "data")
apiVersion: v1
kind: ConfigMap
metadata:
  name: #@ data.values.workload.metadata.name
data:
  port: #@ str(data.values.params.port)
  text: #@ data.values.params.text
`
const values = {
  workload: '{"metadata": {"name": "web"}}',
  params: '{"port": 8080, "text": "a: \\"b\\" #@ c"}',
}
const search = process.env['PATH'] ?? ''
const skip =
  findProgram('ytt', search.split(delimiter)) === undefined ? 'there is no ytt on this machine' : false

test('ytt fills in a template', { skip }, async () => {
  await using mesh = await startCommandServer({ path: search })
  const { output } = await mesh.client.runYtt({ template, values })
  assert.equal(
    output,
    `apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: web\ndata:\n  port: "8080"\n  text: 'a: "b" #@ c'\n`,
  )
  assert.deepEqual(await readdir(mesh.runs), [])
})

test('an error of ytt has its message, and it reads no other file', { skip }, async () => {
  await using mesh = await startCommandServer({ path: search })
  await assert.rejects(mesh.client.runYtt({ template, values: { params: '{}' } }), {
    name: 'InvalidInputError',
    message: /^ytt failed exit status 1: .*struct has no \.workload field or method/s,
  })
  const reading = '#@ load("@ytt:data", "data")\na: #@ data.read("/etc/passwd")\n'
  await assert.rejects(mesh.client.runYtt({ template: reading, values: {} }), InvalidInputError)
})

const echoing = `#!/bin/sh
[ "$1" = version ] && { echo "ytt version 0.1.2"; exit; }
[ "$PWD" = "$HOME" ] || exit 3
echo "args: $*"
echo "names: $(env | sed 's/=.*//' | sort | tr '\\n' ' ')"
echo "beside: $(ls -A | tr '\\n' ' ')"
cat "$2" "$4"
`

test('a program named ytt gets two files in a directory of its own and a clean environment', async () => {
  await using mesh = await startCommandServer({ ytt: echoing, environment: { API_TOKEN: 'sesame-open' } })
  const { output } = await mesh.client.runYtt({
    template: 'a: b\n',
    values: { n: '1', m: '{"__proto__": 2}' },
  })
  assert.deepEqual(output.split('\n'), [
    'args: -f template.yaml --data-values-file ../values.yaml',
    'names: HOME PATH PWD WADI_PLUGIN_RUN ',
    'beside: template.yaml ',
    'a: b',
    '{"n": 1, "m": {"__proto__": 2}}',
    '',
  ])
})

test('without ytt a template is refused with what to do', async () => {
  await using mesh = await startCommandServer()
  await assert.rejects(
    mesh.client.runYtt({ template, values }),
    new FailedPreconditionError(
      'there is no ytt on the PATH of cmp-server; put ytt there, or write the template in spec.template instead of spec.ytt',
    ),
  )
})

test('a data value must be JSON', async () => {
  await using mesh = await startCommandServer({ ytt: echoing })
  await assert.rejects(
    mesh.client.runYtt({ template, values: { n: '1}, {' } }),
    new InvalidInputError('data value "n" is not valid JSON'),
  )
})
