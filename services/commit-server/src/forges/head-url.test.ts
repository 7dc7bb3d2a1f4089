import assert from 'node:assert/strict'
import { test } from 'node:test'
import { headUrl } from './head-url.ts'

const fork = { isHeadElsewhere: true, headRepository: 'eve/shop-fork' }

test('a fork is reached as the repository is', () => {
  const of = (repoUrl: string) => headUrl(repoUrl, 'acme/shop', fork)
  assert.equal(of('https://bitbucket.org/acme/shop.git'), 'https://bitbucket.org/eve/shop-fork.git')
  assert.equal(of('git@bitbucket.org:acme/shop.git'), 'git@bitbucket.org:eve/shop-fork.git')
  assert.equal(of('ssh://git@bitbucket.org/acme/shop'), 'ssh://git@bitbucket.org/eve/shop-fork')
})

test('a head that the repository has, a fork that is gone and a path that leads elsewhere have no address', () => {
  const url = 'https://bitbucket.org/acme/shop.git'
  assert.equal(headUrl(url, 'acme/shop', { ...fork, isHeadElsewhere: false }), '')
  for (const headRepository of [
    '',
    '../shop',
    'eve/..',
    'eve/shop/../../x',
    '@evil.example.com/shop',
    '-x/shop',
  ]) {
    assert.equal(headUrl(url, 'acme/shop', { ...fork, headRepository }), '', headRepository)
  }
})
