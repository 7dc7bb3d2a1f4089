import assert from 'node:assert/strict'
import { test } from 'node:test'
import { InvalidInputError } from '@wadi/errors/domain-error.ts'
import { readRequestVariables } from './request-variables.ts'

function read(texts: readonly string[], gitCredentials = false) {
  const variables = texts.map((text) => {
    const [name = '', value = ''] = text.split(/=(.*)/s)
    return { name, value }
  })
  const { parametersText, prefixed, others, skipped } = readRequestVariables(variables, gitCredentials)
  return { parametersText, prefixed: [...prefixed], others: [...others], skipped }
}

test('of variables with one name the last one applies, and nameless ones are none', () => {
  const texts = [
    'ARGOCD_APP_NAME=a',
    'PARAM_A=1',
    'PARAM_A=2',
    'ARGOCD_ENV_EMPTY=',
    '=none',
    'KUBE_VERSION=1.30',
  ]
  assert.deepEqual(read([...texts, 'ARGOCD_APP_PARAMETERS=null']), {
    parametersText: 'null',
    prefixed: [['PARAM_A', '2']],
    others: [
      ['ARGOCD_APP_NAME', 'a'],
      ['ARGOCD_ENV_EMPTY', ''],
      ['KUBE_VERSION', '1.30'],
    ],
    skipped: [],
  })
  assert.equal(read([]).parametersText, undefined)
})

test('a variable that is not a part of the protocol is left out, whatever it is called', () => {
  const names = [
    'PATH',
    'TOOL',
    'LD_PRELOAD',
    'BASH_ENV',
    'BASH_FUNC_ls%%',
    'BASH_FUNC_a\nb%%',
    'NODE_OPTIONS',
    'https_proxy',
    'TAR_OPTIONS',
    'REPLICAS',
    'GIT_ASKPASS',
    'WADI_PLUGIN_RUN',
    'KUBE_CONFIG_PATH',
    'ARGOCD_APP_PARAMETERS_FILE',
    'ARGOCD_APP_PARAMETERS_BY_GROUP',
  ]
  assert.deepEqual(read(names.map((name) => `${name}=evil`)), {
    parametersText: undefined,
    prefixed: [],
    others: [],
    skipped: names,
  })
})

test('credentials for git are accepted for a plugin that wants them, and nothing else of git', () => {
  const credentials = [
    'GIT_ASKPASS=argocd',
    'GIT_CONFIG_COUNT=1',
    'GIT_CONFIG_KEY_0=http.extraHeader',
    'GIT_CONFIG_VALUE_0=Authorization: Basic eA==',
    'ARGOCD_GIT_BEARER_AUTH_HEADER=Bearer x',
    'ARGOCD_GIT_ASKPASS_NONCE=1',
    'ARGOCD_ASK_PASS_SOCK=/tmp/s',
  ]
  const names = credentials.map((text) => text.split('=')[0])
  const wanted = read([...credentials, 'GIT_EXEC_PATH=/evil'], true)
  assert.deepEqual([wanted.others.map(([name]) => name), wanted.skipped], [names, ['GIT_EXEC_PATH']])
  const unwanted = read(credentials)
  assert.deepEqual([unwanted.others, unwanted.skipped], [[], names])
})

test('a variable that no process can have is refused', () => {
  for (const variable of [
    { name: 'A=B', value: '' },
    { name: 'A\0B', value: '' },
    { name: 'A', value: '\0' },
    { name: 'PATH', value: '\0' },
    { name: 'ARGOCD_ENV_A', value: 'x'.repeat(128 * 1024) },
  ]) {
    assert.throws(() => readRequestVariables([variable], false), InvalidInputError)
  }
})
