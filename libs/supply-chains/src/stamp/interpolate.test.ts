import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { readLocatedDocuments } from '@wadi/params/yaml/located-yaml.ts'
import { locatedMap } from '@wadi/params/values/located.ts'
import { resolve } from '@wadi/params/resolve/resolve.ts'
import { goJsonValue } from './go-json.ts'
import { interpolate } from './interpolate.ts'
import type { Interpolated } from './interpolate.ts'
import type { PathSubject } from '../paths/json-path.ts'
import { readCartographerObjects } from '../read/read-objects.ts'
import { StampBudget } from './stamp-budget.ts'
import { templatingContext } from './templating-context.ts'

const testdata = (file: string) => readFileSync(new URL(`../testdata/${file}`, import.meta.url), 'utf8')

/** The recorded workload, all of whose parameters apply. */
function recordedSubject(): PathSubject {
  const documents = readLocatedDocuments(testdata('carto-workload.yaml'), 'workload.yaml')
  const [owner] = readCartographerObjects(documents).owners
  assert.ok(owner)
  const tree = locatedMap(new Map(owner.params.map(({ name, value }) => [name, value])), owner.at)
  const params = resolve([{ rank: 2, owner: 'developer', kind: 'value', tree }], 'replace')
  const none = { params: [], sources: [], images: [], configs: [], options: [], deployment: undefined }
  const resource = { name: 'r', templateKind: 'ClusterTemplate', templateName: 't', at: owner.at, ...none }
  return templatingContext({ owner, resource, params, outputs: new Map(), labels: new Map() })
}

function render(template: string, subject = recordedSubject()): Interpolated {
  const [document] = readLocatedDocuments(template, 'template.yaml')
  assert.ok(document)
  return interpolate(document, subject, new StampBudget('w.yaml:1'))
}

function resultOf(template: string): string {
  const { located, findings } = render(template)
  return findings[0] === undefined ? goJsonValue(located.value) : `ERR ${findings[0].message}`
}

/** Templates whose result differs from Cartographer's on purpose: the inside of a parameter can be named. */
const insideOfParams = new Map([['a: $(params.obj.k)$', '{"a":"v"}']])

test("each recorded template gives Cartographer's result to the byte", () => {
  const lines = testdata('cartographer-interpolation.txt').trimEnd().split('\n')
  assert.equal(lines.length, 40)
  for (let index = 0; index < lines.length; index += 2) {
    const [template = '', expected = ''] = lines.slice(index, index + 2)
    assert.equal(resultOf(template), insideOfParams.get(template) ?? expected.trim(), template)
  }
})

test('paths lead to what they name in the dialect of Kubernetes', () => {
  const cases: [template: string, result: string][] = [
    ['a: $(params[?(@.name=="str")].value)$', '{"a":"hello"}'],
    ['a: $(params[?(@.name=="obj")].value.nest)$', '{"a":{"z":1}}'],
    ['a: "x-$(params[?(@.name==\'num\')].value)$"', '{"a":"x-5"}'],
    ['a: $(params.list[0])$', '{"a":"a"}'],
    ['a: $(params.list[-1])$', '{"a":"c"}'],
    ['a: $(params.list[1:3])$', 'ERR too many results for the query: params.list[1:3]'],
    [
      'a: $(params.list[5])$',
      'ERR evaluate: failed to find results: array index out of bounds: index 5, length 3',
    ],
    ['a: $(params.dot\\.name)$', '{"a":"dotted"}'],
    ["a: $(params['dot\\.name'])$", '{"a":"dotted"}'],
    ['a: $(params.dot.name)$', 'ERR jsonpath returned empty list: params.dot.name'],
    ['a: $(workload.spec.source.git.ref.branch)$', '{"a":"main"}'],
    ['a: $(deliverable.metadata.labels.type)$', '{"a":"web"}'],
    ["a: $(workload.metadata.labels['app\\.kubernetes\\.io/part-of'])$", '{"a":"po"}'],
    ['a: $(workload.spec.env[?(@.name=="A")].value)$', '{"a":"b"}'],
    ['a: $(workload.spec.env[*].value)$', '{"a":"b"}'],
    [
      'a: $(workload.spec.params[?(@.value>4)].name)$',
      'ERR evaluate: failed to find results: incompatible types for comparison',
    ],
    ['a: $(workload.spec.image)$', '{"a":null}'],
    ['a: $(workload.spec.build)$', '{"a":{}}'],
    ['a: $(workload.spec.source.git.ref.tag)$', '{"a":null}'],
    ['a: $(workload..branch)$', '{"a":"main"}'],
    ['a: $({.params.str})$', '{"a":"hello"}'],
    ['a: $()$', 'ERR empty jsonpath not allowed'],
    ['a: $( params.str )$', 'ERR evaluate: failed to find results: unrecognized identifier params'],
    ['a: $(params.str#)$', 'ERR jsonpath returned empty list: params.str#'],
    ['a: $(params[)$', "ERR evaluate: failed to parse jsonpath '{.params[}': unterminated array"],
    [
      'a: $(params.str}{.num)$',
      "ERR evaluate: failed to parse jsonpath '{.params.str}{.num}': more queries than expected: {.num}",
    ],
    ['a: $(params.__proto__)$', 'ERR jsonpath returned empty list: params.__proto__'],
    ['a: $(params.constructor)$', 'ERR jsonpath returned empty list: params.constructor'],
    ['a: $(params.obj.toString)$', 'ERR jsonpath returned empty list: params.obj.toString'],
    ['a: $(deployment.url)$', 'ERR jsonpath returned empty list: deployment.url'],
  ]
  for (const [template, expected] of cases) {
    const result = resultOf(template).replace(
      /^(ERR ).*?(?:evaluate tag \$\(.*\)\$|evaluate jsonpath): /,
      '$1',
    )
    assert.equal(result, expected, template)
  }
})

test('what a tag becomes is not a template, nor are keys and what has no end', () => {
  assert.equal(resultOf('a: $(params.interp)$'), '{"a":"$(params.num)$"}')
  assert.equal(resultOf('$(params.str)$: 1'), '{"$(params.str)$":1}')
  assert.equal(
    resultOf('a: "echo $(params.str) and $(context.x)"'),
    '{"a":"echo $(params.str) and $(context.x)"}',
  )
  assert.equal(
    resultOf('a: "$(params.str) $(params.num)$"'),
    "ERR failed to recursively evaluate template: failed to interpolate template at path [a]: interpolate tag: evaluate jsonpath: evaluate: failed to parse jsonpath '{.params.str) $(params.num}': unrecognized character in action: U+0028 '('" +
      '; the tag that begins with "$(params.str)" is closed by a later ")$": end it with ")$", or take the "$" after a later ")" away',
  )
})

test('the error of each leaf is reported with its path and line', () => {
  const { findings } = render('a:\n  b:\n    - c: $(params.no)$\n  d: "x$(params.nul)$"\n')
  assert.deepEqual(
    findings.map(({ at, message }) => [at.line, message]),
    [
      [
        3,
        'failed to recursively evaluate template: failed to interpolate template at path [a.b[0].c]: evaluate tag $(params.no)$: jsonpath returned empty list: params.no',
      ],
      [
        4,
        'failed to recursively evaluate template: failed to interpolate template at path [a.d]: interpolate tag: tag must not point to nil value: params.nul',
      ],
    ],
  )
})

test('a value in a longer text is written as Go writes JSON', () => {
  const [document] = readLocatedDocuments(
    'z: "<&>"\na: [1.0, 1e21, 0.0000001, 9007199254740993, "\\u2028"]\n',
    'x.yaml',
  )
  assert.ok(document)
  assert.equal(
    goJsonValue(document.value),
    '{"a":[1,1e+21,1e-7,9007199254740993,"\\u2028"],"z":"\\u003c\\u0026\\u003e"}',
  )
})

test('the keys of a value are in the order that Go writes them in', () => {
  const [document] = readLocatedDocuments('😀: 1\n～: 2\n', 'x.yaml')
  assert.ok(document)
  assert.equal(goJsonValue(document.value), '{"～":2,"😀":1}')
})

test('a leaf says where the parameter in it was decided', () => {
  const { located } = render('a: $(params.num)$\nb: "v$(params.str)$"\nc: $(workload.metadata.name)$\n')
  const derived = (key: string) => located.parts?.get(key)?.derivedFrom
  assert.equal(derived('a')?.step, 'param num')
  assert.equal(derived('a')?.why.winner.at.line, 12)
  assert.equal(derived('b')?.step, 'param str')
  assert.equal(derived('c')?.step, 'workload.metadata.name')
  assert.deepEqual([derived('c')?.why.winner.owner, derived('c')?.why.winner.at.line], ['developer', 4])
  assert.equal(located.parts?.get('a')?.at.file, 'template.yaml')
})

test('each part of a map that a tag brings says where that part is written', () => {
  const metadata = render('a: $(workload.metadata)$\n').located.parts?.get('a')
  const written = (key: string) => metadata?.parts?.get(key)?.derivedFrom
  assert.deepEqual(
    ['name', 'namespace'].map((key) => [written(key)?.step, written(key)?.why.winner.at.line]),
    [
      ['workload.metadata', 4],
      ['workload.metadata', 5],
    ],
  )
  assert.equal(written('namespace')?.why.winner.value, 'ns')
  assert.equal(metadata?.parts?.get('name')?.at.file, 'template.yaml')
})

test('the errors of a template are bounded', () => {
  const { findings } = render(`a: "${'$(params.no)$ '.repeat(100_000)}"`)
  assert.equal(findings.length, 101)
})

test('paths that touch too much and texts that become too large are refused', () => {
  const subject = recordedSubject()
  const wide = {
    value: Array.from({ length: 400 }, () => Array.from({ length: 400 }, () => 1)),
    at: { file: 'x' },
  }
  const wideSubject = { ...subject, root: locatedMap(new Map([['wide', wide]]), wide.at) }
  assert.match(render('a: $(..x)$', wideSubject).findings[0]?.message ?? '', /a path may touch 100000 values/)
  const text = { value: 'x'.repeat(1024 * 1024), at: { file: 'x' } }
  const textSubject = { ...subject, root: locatedMap(new Map([['text', text]]), text.at) }
  assert.throws(
    () => render(`a: "${'$(text)$ '.repeat(40)}"`, textSubject),
    /may have 33554432 characters altogether/,
  )
  assert.match(resultOf(`a: $(${'p'.repeat(5000)})$`), /a jsonpath may have 4096 characters/)
})

test('of two tags of which the first is not closed, the first is named', () => {
  const [finding] = render('a: "$(params.x) and $(params.x)$"\n').findings
  assert.match(
    finding?.message ?? '',
    /the tag that begins with "\$\(params\.x\) and" is closed by a later "\)\$"/,
  )
})
