import assert from 'node:assert/strict'
import { test } from 'node:test'
import { InvalidInputError } from '@wadi/errors/domain-error.ts'
import { apiBase, comparableApi, isInnerAddress } from './forge-address.ts'

test('the part for the version is added where it is missing', () => {
  assert.equal(apiBase('github', '').href, 'https://api.github.com/')
  assert.equal(apiBase('github', 'https://github.example.com').href, 'https://github.example.com/api/v3/')
  assert.equal(apiBase('github', 'https://ghe.example.com/api/v3/').href, 'https://ghe.example.com/api/v3/')
  assert.equal(apiBase('github', 'https://api.acme.ghe.com/').href, 'https://api.acme.ghe.com/')
  assert.equal(apiBase('gitlab', '').href, 'https://gitlab.com/api/v4/')
  assert.equal(apiBase('gitlab', 'https://example.com/gitlab/').href, 'https://example.com/gitlab/api/v4/')
  assert.equal(apiBase('gitea', 'http://gitea:3000').href, 'http://gitea:3000/api/v1/')
})

test('only plain addresses of http and https are taken, and none is repeated', () => {
  for (const api of [
    'ftp://a.example',
    'a.example',
    'file:///etc/passwd',
    'https://user:secret@a.example',
    'https://a.example/?token=secret',
    'https://a.example/#secret',
  ]) {
    assert.throws(
      () => apiBase('gitlab', api),
      (error) => error instanceof InvalidInputError && !error.message.includes('secret'),
    )
  }
})

test('addresses of private networks and of the local link are inner ones, in every spelling', () => {
  const inner = [
    '127.0.0.1',
    '10.1.2.3',
    '169.254.169.254',
    '172.31.0.1',
    '192.168.1.1',
    '100.64.0.1',
    '0.0.0.0',
    '224.0.0.1',
    '255.255.255.255',
    '::1',
    '::',
    'fe80::1',
    'fd00:ec2::254',
    '::ffff:169.254.169.254',
    '::ffff:a9fe:a9fe',
    '64:ff9b::a9fe:a9fe',
  ]
  assert.deepEqual(
    inner.filter((address) => !isInnerAddress(address)),
    [],
  )
  const outer = ['140.82.112.5', '172.32.0.1', '2606:50c0:8000::153', '::ffff:140.82.112.5']
  assert.deepEqual(outer.filter(isInnerAddress), [])
})

test('addresses are compared without the slash at the end', () => {
  assert.equal(comparableApi('https://API.github.com/'), comparableApi('https://api.github.com'))
  assert.notEqual(comparableApi('https://api.github.com'), comparableApi('http://api.github.com'))
})
