import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readValidators } from './read-validators.ts'

test('a program has a name and a command, and the rest has defaults', () => {
  const text = `validators:
- name: kubeconform
  command: [kubeconform, -strict, "-"]
- {name: own, command: /opt/own, timeoutSeconds: 5, objects: [Deployment/*, "Job/*/x"], output: sarif}
`
  assert.deepEqual(readValidators(text, 'a.yaml'), [
    {
      name: 'kubeconform',
      command: ['kubeconform', '-strict', '-'],
      timeoutSeconds: 30,
      objects: undefined,
      output: 'lines',
    },
    {
      name: 'own',
      command: ['/opt/own'],
      timeoutSeconds: 5,
      objects: ['Deployment/*', 'Job/*/x'],
      output: 'sarif',
    },
  ])
  assert.deepEqual(readValidators('', 'a.yaml'), [])
})

test('wrong programs are errors with their place', () => {
  const errors: [validator: string, message: RegExp][] = [
    ['{command: [a]}', /^a\.yaml:2:3: validators\[0\]\.name is required$/],
    ['{name: A/b, command: [a]}', /^a\.yaml:2:4: validators\[0\]\.name must be lower-case letters/],
    ['{name: a}', /^a\.yaml:2:3: validators\[0\]\.command must have a program$/],
    ['{name: a, command: [bin/a]}', /validators\[0\]\.command must begin with a name or an absolute path$/],
    ['{name: a, command: [a, 1]}', /validators\[0\]\.command must be a list of strings$/],
    ['{name: a, command: a, timeoutSeconds: 121}', /timeoutSeconds must be an integer from 1 to 120$/],
    ['{name: a, command: a, objects: ["["]}', /validators\[0\]\.objects is not a pattern/],
    ['{name: a, command: a, output: xml}', /validators\[0\]\.output must be lines or sarif$/],
    ['{name: a, command: a, shell: true}', /unknown field validators\[0\]\.shell/],
    [
      '{name: a, command: a}\n- {name: a, command: b}',
      /^a\.yaml:3:.*validators\[1\]\.name is the name of another/,
    ],
  ]
  for (const [validator, message] of errors)
    assert.throws(() => readValidators(`validators:\n- ${validator}\n`, 'a.yaml'), { message }, validator)
})
