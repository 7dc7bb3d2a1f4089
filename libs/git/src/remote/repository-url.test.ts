import assert from 'node:assert/strict'
import { test } from 'node:test'
import { threadMs } from '@wadi/testing/processor-time.ts'
import { InvalidInputError } from '@wadi/errors/domain-error.ts'
import { holdsSecret, parseRepositoryUrl, redactUrl } from './repository-url.ts'

const strict = { allowFile: false, allowPlainHttp: 'never' } as const

for (const [url, transport, host] of [
  ['https://github.com/org/repo.git', 'https', 'github.com'],
  [' https://GitHub.com/org/repo ', 'https', 'github.com'],
  ['https://org@dev.azure.com/org/p/_git/r', 'https', 'dev.azure.com'],
  ['https://git.example.com:8443/a/b', 'https', 'git.example.com:8443'],
  ['ssh://git@github.com:22/org/repo.git', 'ssh', 'github.com:22'],
  ['git@github.com:org/repo.git', 'ssh', 'github.com'],
  ['https://[2001:db8::1]/org/repo', 'https', '[2001:db8::1]'],
] as const) {
  test(`${url} is accepted over ${transport}`, () => {
    assert.deepEqual(parseRepositoryUrl(url, strict), { text: url.trim(), transport, host })
  })
}

for (const url of [
  '',
  'ext::sh -c id',
  'ext::sh',
  'fd::17',
  '--upload-pack=id',
  'ssh://-oProxyCommand=id/x',
  'ssh://git@-oProxyCommand=id/x',
  'git@-oProxyCommand=id:x',
  '-oProxyCommand=id@host:x',
  'git@host:-x',
  'https://host/a\nb',
  'https://host/a%0ab',
  'https://host/a b',
  'https://host/a\u2028b',
  'https://host/a?service=x',
  'https://host/a#b',
  'https://host',
  'https:///path',
  'git://host/path',
  'ftp://host/path',
  'https://good.example\\@evil.example/x',
  'relative/path',
  `https://host/${'a'.repeat(3000)}`,
]) {
  test(`${JSON.stringify(url.slice(0, 60))} is refused`, () => {
    assert.throws(() => parseRepositoryUrl(url, strict), InvalidInputError)
  })
}

for (const url of [
  'https://bot:hunter2@host/x',
  'ssh://bot:hunter2@host/x',
  'https://host/x?token=hunter2',
  'https://ATBBhunter2@host/x',
  'https://ghp_hunter2@host/x',
]) {
  test(`the error for ${url.replace('hunter2', '…')} does not repeat the secret`, () => {
    assert.throws(
      () => parseRepositoryUrl(url, strict),
      (error: unknown) => error instanceof InvalidInputError && !error.message.includes('hunter2'),
    )
  })
}

test('files are accepted only where the policy permits them', () => {
  for (const url of ['file:///srv/repo', '/srv/repo']) {
    assert.throws(() => parseRepositoryUrl(url, strict), InvalidInputError)
    assert.equal(parseRepositoryUrl(url, { ...strict, allowFile: true }).transport, 'file')
  }
  assert.throws(() => parseRepositoryUrl('file://host/x', { ...strict, allowFile: true }), InvalidInputError)
})

test('plain http is accepted as the policy says', () => {
  const accepts = (url: string, allowPlainHttp: 'never' | 'loopback' | 'always'): boolean => {
    try {
      return parseRepositoryUrl(url, { allowFile: false, allowPlainHttp }).transport === 'http'
    } catch (error) {
      assert.ok(error instanceof InvalidInputError)
      return false
    }
  }
  assert.equal(accepts('http://127.0.0.1:3000/x', 'never'), false)
  assert.equal(accepts('http://127.0.0.1:3000/x', 'loopback'), true)
  assert.equal(accepts('http://localhost/x', 'loopback'), true)
  assert.equal(accepts('http://[::1]:1/x', 'loopback'), true)
  assert.equal(accepts('http://127.0.0.1.evil.example/x', 'loopback'), false)
  assert.equal(accepts('http://evil.example/x', 'always'), true)
})

for (const [url, redacted] of [
  ['https://user:pw@host/x?token=1#f', 'https://host/x'],
  ['https://user:p@w@host/x', 'https://host/x'],
  ['ssh://git@host/x', 'ssh://host/x'],
  ['git@host:x', 'git@host:x'],
  ['https://user:p/w@host/x', 'https://host/x'],
  ['https://user:p?w@host/x', 'https://host/x'],
  ['https://user:p#w@host/x', 'https://host/x'],
  ['https://user:p@w/x@host/x', 'https://host/x'],
  ['https://host/x@v1.git', 'https://host/x@v1.git'],
  ['https://user:password', 'https://…'],
  ['user:p@w@host/x', 'host/x'],
  ['/srv/repo', '/srv/repo'],
] as const) {
  test(`${url} is shown as ${redacted}`, () => {
    assert.equal(redactUrl(url), redacted)
  })
}

test('text that is made to be slow to read takes no time', () => {
  assert.ok(threadMs(() => assert.equal(redactUrl(':'.repeat(100_000)).length, 100_000)) < 500)
})

for (const [url, holds] of [
  ['https://user:pw@host/x', true],
  ['https://:pw@host/x', true],
  ['https://user:p/w@host/x', true],
  ['https://ghp_0123456789@host/x', true],
  ['https://github_pat_11AAAA@host/x', true],
  ['https://glpat-0123456789@host/x', true],
  ['https://gldt-0123456789@host/x', true],
  ['https://ATBB0123456789abcdefXYZ@bitbucket.org/x', true],
  ['https://0123456789abcdef0123456789ABCDEF01234567@host/x', true],
  ['ssh://0123456789abcdef0123456789abcdef01234567@host/x', true],
  ['https://BBDC-MDEyMzQ1@host/x', true],
  ['https://contoso-platform-2026@dev.azure.com/x', false],
  ['https://x-token-auth@bitbucket.org/x', false],
  ['user:pw@host/x', true],
  ['https://host/x?access_token=1', true],
  ['https://org@dev.azure.com/x', false],
  ['ssh://git@host:22/x', false],
  ['git@host:x', false],
  ['https://host/x?ref=1', false],
] as const) {
  test(`${url} ${holds ? 'holds a secret' : 'holds no secret'}`, () => assert.equal(holdsSecret(url), holds))
}
