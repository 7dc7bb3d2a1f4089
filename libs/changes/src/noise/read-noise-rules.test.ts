import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readNoiseRules } from './read-noise-rules.ts'

function read(text: string) {
  return readNoiseRules(Buffer.from(text), 'wadi.yaml')
}

test('a file without rules ignores nothing, whatever else it says', () => {
  for (const text of ['', 'platform: [platform]\n', 'diff:\n', 'diff: {ignore: []}\n'])
    assert.deepEqual(read(text), [])
})

test('pointers are split and their escapes read', () => {
  const [rule] = read(
    'diff:\n  ignore:\n    - jsonPointers: [/metadata/annotations/a~1b~0c, /spec/replicas]\n',
  )
  assert.deepEqual(rule?.pointers, [
    ['metadata', 'annotations', 'a/b~c'],
    ['spec', 'replicas'],
  ])
})

test('what is wrong is an error with its place', () => {
  const rule = (text: string): string => `diff:\n  ignore:\n    - ${text}\n`
  const cases: [string, RegExp][] = [
    [
      rule('path: ../../etc/passwd'),
      /^wadi\.yaml:3:\d+: unknown field diff\.ignore\[0\]\.path; expected one of group/,
    ],
    [rule('kind: Deployment'), /^wadi\.yaml:3:\d+: diff\.ignore\[0\] ignores nothing/],
    [
      rule('jsonPointers: [spec/replicas]'),
      /must have JSON pointers such as \/spec\/replicas, not "spec\/replicas"/,
    ],
    [
      rule('{kind: configmap, labels: [a]}'),
      /^wadi\.yaml:3:\d+: diff\.ignore\[0\]\.kind must begin with a capital letter as kinds do, not "configmap"; did you mean ConfigMap\?$/,
    ],
    [rule('jsonPointers: [/]'), /must have JSON pointers/],
    [rule('labels: ["["]'), /has an invalid pattern/],
    [rule('labels: [1]'), /must be a string, not a number/],
    ['diff: {ignored: []}\n', /unknown field diff\.ignored; did you mean ignore\?/],
    ['diff: [\n', /^wadi\.yaml/],
    [`diff:\n  ignore:\n${'    - labels: [a]\n'.repeat(101)}`, /101 rules; at most 100/],
  ]
  for (const [text, message] of cases) assert.throws(() => read(text), { name: 'InvalidInputError', message })
})
