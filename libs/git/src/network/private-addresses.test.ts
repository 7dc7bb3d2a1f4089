import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isPrivateAddress } from './private-addresses.ts'

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
    '::127.0.0.1',
    '2002:7f00:1::',
    '168.63.129.16',
    '100.100.100.200',
  ]
  assert.deepEqual(
    inner.filter((address) => !isPrivateAddress(address)),
    [],
  )
  const outer = ['140.82.112.5', '172.32.0.1', '2606:50c0:8000::153', '::ffff:140.82.112.5']
  assert.deepEqual(outer.filter(isPrivateAddress), [])
})
