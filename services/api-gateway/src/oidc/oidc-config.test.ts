import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readOidcConfig } from './oidc-config.ts'

test('the configuration of Argo CD is read as it is', () => {
  const config = readOidcConfig(`
name: Okta
issuer: https://dev-123456.oktapreview.com
clientID: aaaabbbbccccddddeee
clientSecret: $oidc.okta.clientSecret
cliClientID: vvvvwwwwxxxxyyyyzzzz
requestedScopes: ["openid", "profile", "email", "groups"]
requestedIDTokenClaims: {"groups": {"essential": true}}
enablePKCEAuthentication: true
`)
  assert.deepEqual(config, {
    name: 'Okta',
    issuer: 'https://dev-123456.oktapreview.com',
    clientID: 'aaaabbbbccccddddeee',
    clientSecret: '$oidc.okta.clientSecret',
    cliClientID: 'vvvvwwwwxxxxyyyyzzzz',
    requestedScopes: ['openid', 'profile', 'email', 'groups'],
    requestedClaims: new Map([['groups', true]]),
    enablePKCE: true,
    audiences: ['aaaabbbbccccddddeee', 'vvvvwwwwxxxxyyyyzzzz'],
    rootCA: '',
  })
})

test('without configuration there is no provider', () => {
  assert.equal(readOidcConfig(undefined), undefined)
  assert.equal(readOidcConfig('  \n'), undefined)
})

test('booleans and numbers are read as Argo CD reads them', () => {
  const config = readOidcConfig(`
issuer: https://idp.example.com
clientID: a
enablePKCEAuthentication: on
requestedIDTokenClaims: {groups: {essential: yes}, email: {essential: off}}
`)
  assert.equal(config?.enablePKCE, true)
  assert.deepEqual(
    config.requestedClaims,
    new Map([
      ['groups', true],
      ['email', false],
    ]),
  )
})

const invalid: [string, RegExp][] = [
  ['{', /^argocd-cm oidc\.config:1: unexpected end of the stream/],
  ['- issuer', /oidc.config must be an object/],
  ['issuer: https://a.example.com', /clientID/],
  ['{issuer: "http://idp.example.com", clientID: a}', /issuer must be an https address/],
  ['{issuer: "https://user:pass@idp.example.com", clientID: a}', /issuer must be an https address/],
]
for (const [text, message] of invalid) {
  test(`the configuration ${text} is refused`, () => {
    assert.throws(() => readOidcConfig(text), { name: 'InvalidInputError', message })
  })
}
