import assert from 'node:assert/strict'
import { test } from 'node:test'
import { variableRedactor } from './secrets.ts'

const variable = (name: string, value: string) => ({ name, value })

test('values of secret variables are hidden, the longest first', () => {
  const redact = variableRedactor([
    variable('ARGOCD_ENV_API_TOKEN', 'tok-1234'),
    variable('PARAM_DB_PASSWORD', 'tok-1234-longer'),
    variable('x_secret', 'a.b*c'),
    variable('ARGOCD_ENV_NAME', 'public'),
  ])
  assert.equal(redact('tok-1234-longer, tok-1234, a.b*c, aXbYc, public'), '***, ***, ***, aXbYc, public')
})

test('the parts of a header with a credential are hidden, and the text around them is not', () => {
  const basic = Buffer.from('user:pass:word').toString('base64')
  const redact = variableRedactor([
    variable('GIT_CONFIG_VALUE_0', `Authorization: Basic ${basic}`),
    variable('GIT_CONFIG_KEY_0', 'http.extraHeader'),
    variable('ARGOCD_GIT_BEARER_AUTH_HEADER', 'Authorization: Bearer ey.J'),
    variable('GIT_ASKPASS', 'argocd'),
  ])
  assert.equal(
    redact(
      `Authorization: Basic ${basic} | Basic ${basic} | user used pass:word | Bearer ey.J | http.extraHeader argocd`,
    ),
    '*** | Basic *** | user used *** | Bearer *** | http.extraHeader argocd',
  )
})

test('names in camel case, names of keys and values as JSON has them are known too', () => {
  const redact = variableRedactor([
    variable('PARAM_ADMINPASSWORD', 'a"b<c'),
    variable('PARAM_DB_CLIENTSECRET', 'hush'),
    variable('AWS_SECRET_ACCESS_KEY', 'a/b+c'),
    variable('PARAM_APIKEY', 'k-123'),
    variable('PARAM_KEY', 'public'),
    variable('PARAM_PASSWORD_FILE', 'passwords.yaml'),
  ])
  assert.equal(
    redact(String.raw`a"b<c "a\"b<c" "a\"b\u003cc" hush a/b+c k-123 public passwords.yaml`),
    '*** "***" "***" *** *** *** public passwords.yaml',
  )
})

test('each line of a secret is hidden, and values that are everywhere are not', () => {
  const redact = variableRedactor([
    variable('KEY_SECRET', 'first line\nsecond'),
    variable('USE_TOKEN', 'true'),
    variable('A_TOKEN', 'x'),
  ])
  assert.equal(redact('first line / second / true / x'), '*** / *** / true / x')
  assert.equal(variableRedactor([])('as it is'), 'as it is')
})
