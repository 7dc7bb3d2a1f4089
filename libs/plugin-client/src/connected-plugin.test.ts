import assert from 'node:assert/strict'
import { test } from 'node:test'
import { keepsSecrets } from './connected-plugin.ts'

test('credentials go over sockets, TLS and the loopback interface, and over no other network', () => {
  const safe = [
    'unix:/plugins/a.sock',
    'https://a.example.com:8084',
    'http://127.0.0.1:8084',
    'http://[::1]:8084',
  ]
  const open = [
    'http://a.example.com:8084',
    'http://10.0.0.7:8084',
    'http://127.example.com:8084',
    'http://localhosts/',
  ]
  assert.deepEqual([...safe, ...open].filter(keepsSecrets), safe)
})
