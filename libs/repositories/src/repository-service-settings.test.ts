import assert from 'node:assert/strict'
import { hostname } from 'node:os'
import { resolve } from 'node:path'
import { test } from 'node:test'
import { readSettings } from '@wadi/rpc/service-settings.ts'
import { repositoryDirectories, repositorySettings, urlPolicy } from './repository-service-settings.ts'

test('by default repositories are remote, and plain HTTP stays on this machine', () => {
  const policy = urlPolicy(readSettings(repositorySettings, { env: {}, argv: [] }))
  assert.deepEqual(policy, { allowFile: false, allowPlainHttp: 'loopback' })
  const env = { WADI_ALLOW_FILE_URLS: 'true', WADI_PLAIN_HTTP: 'never' }
  const strict = urlPolicy(readSettings(repositorySettings, { env, argv: [] }))
  assert.deepEqual(strict, { allowFile: true, allowPlainHttp: 'never' })
})

test('replicas share their credentials and keep their mirrors apart', () => {
  const directories = (listen: string, instance?: string) =>
    repositoryDirectories('repo-server', {
      dataDirectory: 'data',
      listen,
      credentialsFile: undefined,
      instance,
    })
  const first = directories('127.0.0.1:8081')
  assert.equal(first.shared, resolve('data/repo-server'))
  assert.equal(first.credentials, resolve('data/repo-server/credentials.db'))
  assert.equal(
    first.own,
    resolve(`data/repo-server/${hostname().replaceAll(/[^\w.-]+/gu, '-')}-127.0.0.1-8081`),
  )
  assert.notEqual(directories('127.0.0.1:8082').own, first.own)
  assert.equal(directories('127.0.0.1:8082', 'a').own, resolve('data/repo-server/a'))
})

test('an instance name and a credentials file are used as given, below the data directory and where it is', () => {
  const { own, credentials, shared } = repositoryDirectories('repo-server', {
    dataDirectory: '/var/lib/wadi',
    listen: 'unix:/run/x.sock',
    credentialsFile: '/secrets/credentials.db',
    instance: '../../etc/x y',
  })
  assert.deepEqual(
    [own, credentials, shared],
    ['/var/lib/wadi/repo-server/..-..-etc-x-y', '/secrets/credentials.db', '/var/lib/wadi/repo-server'],
  )
})
