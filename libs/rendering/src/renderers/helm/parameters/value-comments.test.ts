import assert from 'node:assert/strict'
import { test } from 'node:test'
import { valueComments } from './value-comments.ts'

/** The explanations of the keys of a text, by their names. */
function explained(text: string): Record<string, string> {
  const comments = valueComments(text)
  const found = text.split('\n').flatMap((line, index) => {
    const [, key] = /^ *([\w.]+):/.exec(line) ?? []
    const said = key === undefined ? '' : comments.at([key], index + 1)
    return key === undefined || said === '' ? [] : [[key, said]]
  })
  return Object.fromEntries(found) as Record<string, string>
}

test('annotations of helm-docs are read, over several lines and without their marks', () => {
  const text = `
# Something else.

# -- (int) Number of pods
# that answer.
# @default -- one for each node
# @section -- Scaling
replicas: 2
# not this
# -- Name of the image
image: nginx
# tag -- Version of the image
other: 1
tag: v1
`
  assert.deepEqual(explained(text), {
    replicas: 'Number of pods that answer.',
    image: 'Name of the image',
    tag: 'Version of the image',
  })
})

test("annotations of Bitnami's charts are found by the path of the value", () => {
  const comments = valueComments(`
## @section Image
## @param image.tag [string, nullable] Tag of the image
## @param image.pullSecrets [array] Names of Secrets
## e.g:
## - name: one
##
image:
  tag: ""
  pullSecrets: []
## @extra service Where it answers
`)
  assert.equal(comments.at(['image', 'tag'], 8), 'Tag of the image')
  assert.equal(comments.at(['image', 'pullSecrets'], 9), 'Names of Secrets')
  assert.equal(comments.at(['service'], 0), 'Where it answers')
})

test('a plain comment is that of the key below it, without values that are commented out', () => {
  const text = `# Default values for the chart.
# Change them.

# The license of this file.
#
# How many pods
# there are.
replicas: 2
# Limits of the pod, such as
# limits:
#   cpu: 1
resources: {}

unrelated: 1
map:
  # a: 1
  # b: 2
  c: 3
    # of another level
  d: 4
port: 80 # Where it answers
url: "http://x#y" # Where it is
text: a#b
# ------
ruled: 1
`
  assert.deepEqual(explained(text), {
    replicas: 'How many pods there are.',
    resources: 'Limits of the pod, such as',
    port: 'Where it answers',
    url: 'Where it is',
  })
})

test('a text that is all marks costs no more than its length', () => {
  const text = `${'# a.b -- '.repeat(20_000)}\nkey: ${'x # '.repeat(20_000)}\n${'# - x\n'.repeat(20_000)}last: 1\n`
  const comments = valueComments(text)
  assert.equal(comments.at(['last'], 20_003), '')
})

// Each takes minutes with an expression that goes over the spaces again for each of them.
for (const [what, text, path, line, said] of [
  ['spaces behind a value', `a: x${' '.repeat(1_000_000)}'`, 'a', 1, ''],
  [
    'spaces and a line separator',
    `## @param a${' '.repeat(500_000)}Why\u2028not${' '.repeat(500_000)}`,
    'a',
    0,
    'Why\u2028not',
  ],
] as const) {
  test(`a long line is read once: ${what}`, () => {
    assert.equal(valueComments(text).at([path], line), said)
  })
}

test('the comment above a line is read once for all keys on it', () => {
  const comments = valueComments(`${'# x\n'.repeat(250_000)}{a: 1, b: 2}\n`)
  const said = Array.from({ length: 20_000 }, (_, index) => comments.at([`k${index}`], 250_001))
  assert.ok(said.every((text) => text.length === 499_999))
})

test('a comment behind a value begins after a space, and not in a text', () => {
  const lines = [
    'a: "x" # Why',
    "a: 'x # y'",
    'a: # Why',
    'a: x# y',
    'a: x #y',
    'a: | # y',
    'a: "x"y # z',
    'a: x" # y',
    'a: x ## Why # so',
    'a:\t# Why',
    'a:x # y',
  ]
  assert.deepEqual(
    lines.map((line) => valueComments(line).at(['a'], 1)),
    ['Why', '', 'Why', '', '', '', '', '', 'Why # so', 'Why', ''],
  )
})
