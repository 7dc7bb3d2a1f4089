import assert from 'node:assert/strict'
import { test } from 'node:test'
import { InvalidInputError } from '@wadi/errors/domain-error.ts'
import { grantedVariableText, readGrantedVariable, readPluginVariables } from './granted-variables.ts'

function read(text: string) {
  return Object.fromEntries(
    [...readPluginVariables(text)].map(([plugin, granted]) => [plugin, Object.fromEntries(granted)]),
  )
}

test('a setting says which plugin is given which variables', () => {
  assert.deepEqual(read(''), {})
  assert.deepEqual(
    read(
      'helm-v1.0=ARGOCD_APP_NAME,ARGOCD_APP_NAMESPACE, KUBE_API_VERSIONS=v1,apps/v1,KUBE_VERSION=1.34.0;; \n avp = ARGOCD_APP_PROJECT_NAME ;',
    ),
    {
      'helm-v1.0': {
        ARGOCD_APP_NAME: '',
        ARGOCD_APP_NAMESPACE: '',
        KUBE_API_VERSIONS: 'v1,apps/v1',
        KUBE_VERSION: '1.34.0',
      },
      avp: { ARGOCD_APP_PROJECT_NAME: '' },
    },
  )
})

for (const [text, message] of [
  ['helm', '"helm" is not of the form plugin=VARIABLE,VARIABLE; separate plugins with ";"'],
  ['helm=', 'is not of the form'],
  ['a b=ARGOCD_APP_NAME', 'is not of the form'],
  ['a=ARGOCD_APP_NAME;a=ARGOCD_APP_NAME', 'plugin a comes twice; keep one'],
  ['a=PATH', '"PATH" is not a variable that a plugin can receive; expected one of ARGOCD_APP_NAME, '],
  ['a=ARGOCD_APP_NAME,LD_PRELOAD=/x', '"LD_PRELOAD" is not a variable'],
  ['a=KUBE_VERSION', 'KUBE_VERSION needs a value, because no cluster is read: KUBE_VERSION=1.34.0'],
  ['a=KUBE_API_VERSIONS=', 'KUBE_API_VERSIONS needs a value'],
  [
    'a=ARGOCD_APP_NAME=web',
    'ARGOCD_APP_NAME takes no value, because the Application decides it: ARGOCD_APP_NAME',
  ],
  ['a=KUBE_VERSION=1\0', 'has a NUL character'],
] as const) {
  test(`the setting ${JSON.stringify(text)} is refused`, () => {
    assert.throws(
      () => readPluginVariables(text),
      (error) => error instanceof InvalidInputError && error.message.includes(message),
    )
  })
}

test('a variable is written as it is read', () => {
  for (const text of ['ARGOCD_APP_NAME', 'KUBE_API_VERSIONS=v1,a=b']) {
    assert.equal(grantedVariableText(readGrantedVariable(text)), text)
  }
})
