import assert from 'node:assert/strict'
import { test } from 'node:test'
import { InvalidInputError } from '@wadi/errors/domain-error.ts'
import { commandEnvironment } from './command-environment.ts'

const service = { PATH: '/bin', TOOL: 'own', WADI_ADMIN_TOKEN: 'secret', PARAM_A: 'own', UNSET: undefined }

function variable(text: string) {
  const [name = '', value = ''] = text.split(/=(.*)/s)
  return { name, value }
}

test("the request's variables come over those of the service, whose own settings stay with it", () => {
  const request = ['ARGOCD_APP_NAME=a', 'PARAM_A=1', 'PARAM_A=2', 'EMPTY=', 'replicas=3', '=none'].map(
    variable,
  )
  assert.deepEqual(commandEnvironment(service, request, { gitCredentials: false }), {
    environment: { PATH: '/bin', TOOL: 'own', PARAM_A: '2', ARGOCD_APP_NAME: 'a', EMPTY: '', replicas: '3' },
    skipped: [],
  })
})

test('a variable that would replace or steer what the service runs is left out', () => {
  const names = [
    'PATH',
    'TOOL',
    'LD_PRELOAD',
    'BASH_ENV',
    'NODE_OPTIONS',
    'https_proxy',
    'GIT_ASKPASS',
    'WADI_PLUGIN',
  ]
  const { environment, skipped } = commandEnvironment(
    service,
    names.map((name) => ({ name, value: 'evil' })),
    { gitCredentials: false },
  )
  assert.deepEqual(skipped, names)
  assert.deepEqual(environment, { PATH: '/bin', TOOL: 'own', PARAM_A: 'own' })
})

test('a plugin that wants git credentials gets their variables and no other of git', () => {
  const request = [variable('GIT_ASKPASS=argocd'), variable('GIT_EXEC_PATH=/evil')]
  const { environment, skipped } = commandEnvironment({}, request, { gitCredentials: true })
  assert.deepEqual(environment, { GIT_ASKPASS: 'argocd' })
  assert.deepEqual(skipped, ['GIT_EXEC_PATH'])
})

test('a variable that no process can have is refused', () => {
  for (const name of ['A=B', 'A\0B']) {
    assert.throws(
      () => commandEnvironment({}, [{ name, value: '' }], { gitCredentials: false }),
      InvalidInputError,
    )
  }
  assert.throws(
    () => commandEnvironment({}, [{ name: 'A', value: '\0' }], { gitCredentials: false }),
    InvalidInputError,
  )
})
