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

const faulty: [string, RegExp][] = [
  ['{', /oidc.config is no YAML/],
  ['- issuer', /oidc.config has to be a map/],
  ['issuer: https://a.example.com', /clientID/],
  ['{issuer: "http://idp.example.com", clientID: a}', /issuer has to be an https address/],
  ['{issuer: "https://user:pass@idp.example.com", clientID: a}', /issuer has to be an https address/],
]
for (const [text, message] of faulty) {
  test(`the configuration ${text} is refused`, () => {
    assert.throws(() => readOidcConfig(text), { name: 'InvalidInputError', message })
  })
}
