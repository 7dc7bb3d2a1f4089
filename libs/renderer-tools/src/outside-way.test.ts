import assert from 'node:assert/strict'
import { mkdtempDisposableSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { wayOfMachine, waySecrets, wayVariables } from './outside-way.ts'

test('tools that may reach the network take the proxies and authorities of the machine', () => {
  const environment = { https_proxy: 'http://proxy:1', NO_PROXY: 'a.internal', SSL_CERT_FILE: '/etc/own.pem' }
  const way = wayOfMachine(environment)
  assert.deepEqual(wayVariables(way, '/nowhere', environment), {
    HTTPS_PROXY: 'http://proxy:1',
    https_proxy: 'http://proxy:1',
    NO_PROXY: 'a.internal',
    no_proxy: 'a.internal',
    SSL_CERT_FILE: '/etc/own.pem',
  })
  assert.deepEqual(wayVariables(wayOfMachine({}), '/nowhere', {}), {})
})

test('own authorities are trusted beside those of the machine', () => {
  using scratch = mkdtempDisposableSync(join(tmpdir(), 'wadi-way-'))
  const file = join(scratch.path, 'home', 'authorities.pem')
  const authorities = '-----BEGIN CERTIFICATE-----\nown\n-----END CERTIFICATE-----'
  assert.deepEqual(wayVariables({ proxies: {}, authorities }, file, {}), {
    SSL_CERT_FILE: file,
    GIT_SSL_CAINFO: file,
  })
  assert.ok(readFileSync(file, 'utf8').startsWith(`${authorities}\n`))
})

test('users and passwords of proxies are secrets', () => {
  const proxies = {
    HTTPS_PROXY: 'http://user:hunter2@proxy:1',
    HTTP_PROXY: 'user:pass@proxy:1',
    NO_PROXY: 'a,b',
  }
  assert.deepEqual(waySecrets({ proxies, authorities: '' }), ['user:hunter2', 'hunter2', 'user:pass', 'pass'])
})
