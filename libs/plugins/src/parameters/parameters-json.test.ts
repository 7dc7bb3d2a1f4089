import assert from 'node:assert/strict'
import { test } from 'node:test'
import { InvalidInputError } from '@wadi/errors/domain-error.ts'
import { yamlValue } from '../yaml-fixture.ts'
import { parameterOf } from './parameter-fixture.ts'
import { parametersByGroupJson, parametersJson, parseParametersJson } from './parameters-json.ts'
import { readParameters } from './read-parameters.ts'

const read = (text: string) => readParameters(...yamlValue(text))

test('parameters are written as Argo CD writes them', () => {
  const parameters = read(`
- {name: b, string: "<a> & \\u2028\\u2029é", array: [], map: {z: "1", a: "2", é: "3", "😀": "4", "\\uFB01": "5"}}
- {name: a}
- {name: c, string: "", array: [x]}
`)
  assert.equal(
    parametersJson(parameters),
    String.raw`[{"array":[],"map":{"a":"2","z":"1","é":"3","ﬁ":"5","😀":"4"},"name":"b",` +
      String.raw`"string":"\u003ca\u003e \u0026 \u2028\u2029é"},{"name":"a"},{"array":["x"],"name":"c","string":""}]`,
  )
  assert.equal(parametersJson([]), 'null')
})

test("parameters in the proposal's forms are found in these forms", () => {
  const parameters = read(`
- {name: a, value: x}
- {name: b, value: "0.1", group: g}
- {name: c, value: {number: "+.50"}}
- {name: d, boolean: true}
- {name: e, value: {string: x}}
- {name: f, map: [{name: k, number: 1}]}
- {name: g, group: g, string: x}
`)
  assert.deepEqual(JSON.parse(parametersJson(parameters)), [
    { name: 'a', string: 'x', value: 'x' },
    { group: 'g', name: 'b', string: '0.1', value: '0.1' },
    { name: 'c', number: 0.5, string: '+.50' },
    { boolean: true, name: 'd', string: 'true' },
    { name: 'e', string: 'x' },
    { map: { k: '1' }, name: 'f' },
    { group: 'g', name: 'g', string: 'x', value: 'x' },
  ])
  assert.match(parametersJson(parameters), /"number":0\.50,/)
})

test("the parameters by group serve the proposal's examples", () => {
  const parameters = read(
    '[{name: a, value: x, group: g}, {name: b, string: z}, {name: c, array: [x], group: main}]',
  )
  assert.equal(
    parametersByGroupJson(parameters),
    '{"main":[{"name":"b","string":"z","value":"z"},{"array":["x"],"group":"main","name":"c"}],' +
      '"g":[{"group":"g","name":"a","string":"x","value":"x"}]}',
  )
  assert.equal(parametersByGroupJson([]), '{"main":[]}')
  assert.equal(
    parametersByGroupJson([parameterOf({ name: 'a', group: '__proto__' })]),
    '{"main":[],"__proto__":[{"group":"__proto__","name":"a"}]}',
  )
})

test('what was written is read back as it was', () => {
  const parameters = read(`
- {name: a, value: x}
- {name: b, value: "0.1", group: g}
- {name: c, value: {number: "+1.50"}}
- {name: d, value: {number: 12345678901234567890}}
- {name: e, value: {boolean: false}, group: g}
- {name: f, string: "", array: [], map: {}}
- {name: g, array: ["1.10"], map: {__proto__: v}}
- {name: h}
`).map((parameter) => ({ ...parameter, warnings: [] }))
  const back = parseParametersJson(parametersJson(parameters))
  assert.deepEqual(
    back.map((parameter) => ({ ...parameter, warnings: [] })),
    parameters,
  )
})

test('numbers have every digit on the way there and back', () => {
  for (const text of ['1.10', '1e3', '0.1', '12345678901234567890', '1e400', '-0.0']) {
    const json = parametersJson(read(`[{name: a, value: {number: "${text}"}}]`))
    assert.equal(json, `[{"name":"a","number":${text},"string":"${text}"}]`)
    assert.equal(parseParametersJson(json)[0]?.string, text)
  }
})

test('what Argo CD sends is read', () => {
  assert.deepEqual(parseParametersJson('null'), [])
  assert.deepEqual(
    parseParametersJson('[{"map":{"k":"v"},"name":"a"},{"array":["x"],"name":"b","string":"y"}]'),
    [
      parameterOf({ name: 'a', map: [['k', 'v']] }),
      parameterOf({
        name: 'b',
        array: ['x'],
        string: 'y',
        warnings: ['parameters[1]: sets a single value and an array; the plugin is given all of them'],
      }),
    ],
  )
})

test('other texts are refused with the name of the variable', () => {
  for (const text of [
    '{"name": "a"}',
    '[{"name": ""}]',
    '[{"name": "a", "number": 1, "string": "2"}]',
    '[{]',
    '',
  ]) {
    assert.throws(
      () => parseParametersJson(text),
      (error) => error instanceof InvalidInputError && error.message.startsWith('ARGOCD_APP_PARAMETERS: '),
    )
  }
})
