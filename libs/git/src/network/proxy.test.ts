import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseRepositoryUrl } from '../remote/repository-url.ts'
import { proxyOf, shownProxy } from './proxy.ts'

const policy = { allowFile: true, allowPlainHttp: 'always' } as const
const proxy = 'http://user:hunter2@proxy.internal:3128'
const through = (url: string, settings: { proxy?: string; noProxy?: string }, environment = {}) =>
  proxyOf(parseRepositoryUrl(url, policy), settings, environment)

test('a repository is reached through its own proxy, else through that of the environment', () => {
  const environment = { HTTPS_PROXY: 'http://env:1', http_proxy: 'http://env:2', NO_PROXY: 'git.internal' }
  assert.equal(through('https://git.example.com/a.git', { proxy }, environment), proxy)
  assert.equal(through('https://git.internal/a.git', { proxy }, environment), proxy)
  assert.equal(through('https://git.example.com/a.git', {}, environment), 'http://env:1')
  assert.equal(through('http://git.example.com/a.git', {}, environment), 'http://env:2')
  assert.equal(through('https://git.internal/a.git', {}, environment), undefined)
  assert.equal(through('https://git.example.com/a.git', { proxy: 'proxy:3128' }), 'http://proxy:3128')
  assert.equal(through('ssh://git@git.example.com/a.git', { proxy }), undefined)
  assert.equal(through('https://git.example.com/a.git', {}), undefined)
})

test('noProxy names hosts, hosts below them, addresses and networks, with or without a port', () => {
  const direct: [string, string][] = [
    ['example.com', 'git.example.com'],
    ['GIT.example.com', 'git.example.com'],
    ['.example.com', 'git.example.com'],
    ['*.example.com', 'git.example.com'],
    ['other.net, git.example.com:8443', 'git.example.com:8443'],
    ['*', 'git.example.com'],
    ['10.1.0.0/16', '10.1.2.3'],
    ['10.1.2.3', '10.1.2.3:8443'],
    ['10.1.2.3:8443', '10.1.2.3:8443'],
    ['fd00::/8', '[fd00::1]'],
    ['[fd00::1]:443', '[fd00::1]'],
  ]
  for (const [noProxy, host] of direct) {
    assert.equal(through(`https://${host}/a.git`, { proxy, noProxy }), undefined, noProxy)
  }
  const proxied: [string, string][] = [
    ['.git.example.com', 'git.example.com'],
    ['xample.com', 'git.example.com'],
    ['git.example.com:8443', 'git.example.com'],
    ['10.1.0.0/16', '10.2.0.1'],
    ['10.1.0.0/16', 'git.example.com'],
    [',, ,', 'git.example.com'],
  ]
  for (const [noProxy, host] of proxied) {
    assert.equal(through(`https://${host}/a.git`, { proxy, noProxy }), proxy, noProxy)
  }
})

test('messages name a proxy without its user and password', () => {
  assert.equal(shownProxy(proxy), 'http://proxy.internal:3128')
  assert.equal(shownProxy('http://us:er:hunter2@[bad'), 'that is configured')
})
