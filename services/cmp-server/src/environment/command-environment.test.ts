import assert from 'node:assert/strict'
import { test } from 'node:test'
import { InvalidInputError } from '@wadi/errors/domain-error.ts'
import { readAnnouncements } from '@wadi/plugins/announcements/read-announcements.ts'
import { parametersJson, parseParametersJson } from '@wadi/plugins/parameters/parameters-json.ts'
import { commandEnvironment } from './command-environment.ts'
import { parameterArguments } from './parameter-environment.ts'
import { readRequestVariables } from './request-variables.ts'

const service = new Map(Object.entries({ PATH: '/bin', TOOL: 'own', PARAM_TOOL: 'own' }))

function made(
  parameters: readonly object[],
  options: {
    request?: readonly (readonly [string, string])[]
    mayName?: (variable: string) => boolean
    announced?: readonly object[]
  } = {},
) {
  const request = readRequestVariables(
    (options.request ?? []).map(([name, value]) => ({ name, value })),
    false,
  )
  const given = parseParametersJson(JSON.stringify(parameters))
  const run = {
    parameters: given,
    text: parametersJson(given),
    file: '/run/parameters.json',
    announcements: readAnnouncements(options.announced ?? [], {
      subject: 'plugin.yaml',
      above: 'parameters',
      at: () => undefined,
    }).announcements,
    mayName: options.mayName ?? (() => true),
  }
  const { variables, ...rest } = commandEnvironment(service, request, run)
  return {
    ...rest,
    variables,
    run,
    own: new Map([...variables].filter(([name]) => !/^ARGOCD_APP_PARAM|^PATH$/.test(name))),
  }
}

test('the parameters are there as a whole, one by one and under their own names', () => {
  const { variables, own, run } = made([
    { name: 'image.tag', string: '1' },
    { name: 'list', array: ['a', 'b'] },
    { name: 'map', map: { key: 'c' } },
    { name: 'x', group: 'g', value: 'd' },
    { name: '1st', string: 'e' },
  ])
  assert.deepEqual(Object.fromEntries(own), {
    TOOL: 'own',
    PARAM_TOOL: 'own',
    IMAGE_TAG: '1',
    LIST_0: 'a',
    LIST_1: 'b',
    MAP_KEY: 'c',
    G_X: 'd',
    _1ST: 'e',
    PARAM_IMAGE_TAG: '1',
    PARAM_LIST_0: 'a',
    PARAM_LIST_1: 'b',
    PARAM_MAP_KEY: 'c',
    PARAM_X: 'd',
    PARAM_1ST: 'e',
  })
  assert.equal(variables.get('ARGOCD_APP_PARAMETERS'), run.text)
  assert.equal(variables.get('ARGOCD_APP_PARAMETERS_FILE'), '/run/parameters.json')
  const groups: unknown = JSON.parse(variables.get('ARGOCD_APP_PARAMETERS_BY_GROUP') ?? '')
  assert.deepEqual(Object.keys(Object(groups)), ['main', 'g'])
})

test('a source without parameters has none of their variables', () => {
  const request = readRequestVariables([], false)
  assert.deepEqual(commandEnvironment(service, request, undefined), {
    variables: service,
    skipped: [],
    warnings: [],
  })
})

test('a name of its own that is taken or reserved is skipped, whatever its case', () => {
  const names = [
    'path',
    'tool',
    'ld-preload',
    'http.proxy',
    'argocd-app-name',
    'param-x',
    'kube-version',
    'git-config-count',
    'tar-options',
  ]
  const { own, skipped } = made(names.map((name) => ({ name, string: 'evil' })))
  assert.deepEqual(skipped, [
    'PATH',
    'TOOL',
    'LD_PRELOAD',
    'HTTP_PROXY',
    'ARGOCD_APP_NAME',
    'PARAM_X',
    'KUBE_VERSION',
    'GIT_CONFIG_COUNT',
    'TAR_OPTIONS',
  ])
  assert.deepEqual(
    [...own].filter(([name]) => !name.startsWith('PARAM_')),
    [['TOOL', 'own']],
  )
  assert.equal(own.get('PARAM_PATH'), 'evil')
})

test('a parameter replaces what the request says of it, and a variable of the service with its value is not a collision', () => {
  const { own, skipped } = made(
    [
      { name: 'replicas', string: '3' },
      { name: 'tool', string: 'own' },
    ],
    {
      request: [
        ['PARAM_REPLICAS', 'of the request'],
        ['PARAM_OTHER', 'of the request'],
      ],
    },
  )
  assert.deepEqual(
    [own.get('REPLICAS'), own.get('PARAM_REPLICAS'), own.get('PARAM_OTHER')],
    ['3', '3', 'of the request'],
  )
  assert.deepEqual(skipped, [])
})

test('only the parameters that the plugin lets have one get a variable of their own name', () => {
  const parameters = [
    { name: 'known', string: '1' },
    { name: 'other', string: '2' },
  ]
  const { own, skipped } = made(parameters, { mayName: (variable) => variable === 'KNOWN' })
  assert.deepEqual([own.get('KNOWN'), own.has('OTHER'), own.get('PARAM_OTHER')], ['1', false, '2'])
  assert.deepEqual(skipped, [])
})

test('an announcement may ask for a variable and for an argument', () => {
  const announced = [
    { name: 'tag', envVar: 'imageTag', asArg: true },
    { name: 'sets', envVar: 'SETS', asArg: true, collectionType: 'map' },
    { name: 'files', asArg: true, collectionType: 'array' },
  ]
  const { own, run } = made(
    [
      { name: 'tag', string: '1 2' },
      { name: 'sets', map: { 'a.b': 'c' } },
      { name: 'files', array: ['x', '-y'] },
      { name: 'other', string: 'z' },
    ],
    { announced },
  )
  assert.deepEqual([own.get('ARGOCD_PARAM_imageTag'), own.get('ARGOCD_PARAM_SETS_A_B')], ['1 2', 'c'])
  assert.deepEqual(parameterArguments(run), ['--tag=1 2', '--sets=a.b=c', '--files=x', '--files=-y'])
})

test('what is too large for a variable is left to the file', () => {
  const { variables, own, warnings } = made(
    [
      { name: 'large', string: 'x'.repeat(121 * 1024) },
      { name: 'small', string: 'y' },
    ],
    { request: [['PARAM_LARGE', 'x'.repeat(121 * 1024)]] },
  )
  assert.deepEqual(Object.fromEntries(own), {
    TOOL: 'own',
    PARAM_TOOL: 'own',
    SMALL: 'y',
    PARAM_SMALL: 'y',
  })
  assert.equal(variables.has('ARGOCD_APP_PARAMETERS'), false)
  assert.equal(variables.has('ARGOCD_APP_PARAMETERS_BY_GROUP'), false)
  assert.equal(variables.get('ARGOCD_APP_PARAMETERS_FILE'), '/run/parameters.json')
  assert.deepEqual(warnings, [
    'larger than 120 KiB and so not among the variables, only in the file ARGOCD_APP_PARAMETERS_FILE: PARAM_LARGE, ARGOCD_APP_PARAMETERS, ARGOCD_APP_PARAMETERS_BY_GROUP',
  ])
})

test('an environment above one mebibyte loses the own names and then those with PARAM_', () => {
  const of = (count: number) =>
    made(Array.from({ length: count }, (_, index) => ({ name: `p${index}`, string: 'x'.repeat(100 * 1024) })))
  const both = of(4)
  assert.deepEqual([both.own.has('P0'), both.own.has('PARAM_P0'), both.warnings.length], [true, true, 1])
  const prefixed = of(6)
  assert.deepEqual([prefixed.own.has('P0'), prefixed.own.has('PARAM_P0')], [false, true])
  assert.match(prefixed.warnings.join('\n'), /does not get them under their own names; the file/)
  const none = of(12)
  assert.deepEqual([none.own.has('P0'), none.own.has('PARAM_P0')], [false, false])
  assert.match(none.warnings.join('\n'), /under their own names and as PARAM_ variables; the file/)
})

test('an environment that is too large without parameters is refused', () => {
  const request = Array.from(
    { length: 10 },
    (_, index) => [`ARGOCD_ENV_${index}`, 'x'.repeat(120 * 1024)] as const,
  )
  assert.throws(() => made([], { request }), InvalidInputError)
})
