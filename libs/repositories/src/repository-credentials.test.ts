import assert from 'node:assert/strict'
import { test } from 'node:test'
import { appPrivateKey, startGitHub } from './github-fixture.ts'
import { credentialKind, gitCredentials, selectSecret } from './repository-credentials.ts'
import { secret } from './repository-fixture.ts'

const url = 'https://git.example.com/org/deploy.git'
const exact = secret('exact', { url })
const prefix = secret('prefix', { url: 'https://git.example.com/org' }, 'repo-creds')
const host = secret('host', { url: 'https://git.example.com/' }, 'repo-creds')
const ofProject = (name: string, of: typeof exact) => secret(name, { ...of.values, project: 'shop' }, of.type)

/** The selected name, which has to be the same for every rotation of the list. */
function selected(secrets: readonly (typeof exact)[], wanted = url, project = 'default'): string | undefined {
  const names = secrets.map((_, turn) => {
    const turned = [...secrets.slice(turn), ...secrets.slice(0, turn)]
    const [forward, backward] = [turned, turned.toReversed()].map(
      (list) => selectSecret(list, wanted, project)?.name,
    )
    assert.equal(forward, backward)
    return forward
  })
  assert.equal(new Set(names).size, 1)
  return names[0]
}

test('credentials for exactly a repository win over those for a URL above it, and the longest of those', () => {
  assert.equal(selected([host, prefix, exact]), 'exact')
  assert.equal(selected([host, prefix]), 'prefix')
  assert.equal(selected([host]), 'host')
})

test("a project's own credentials win over those for all projects at the same URL, and are nobody else's", () => {
  const secrets = [exact, ofProject('exact-shop', exact), prefix, ofProject('prefix-shop', prefix)]
  assert.equal(selected(secrets, url, 'shop'), 'exact-shop')
  assert.equal(selected(secrets, url, 'default'), 'exact')
  assert.equal(selected(secrets, 'https://git.example.com/org/other', 'shop'), 'prefix-shop')
  assert.equal(selected([exact, ofProject('prefix-shop', prefix)], url, 'shop'), 'exact')
  assert.equal(selected([ofProject('prefix-shop', prefix), ofProject('exact-shop', exact)]), undefined)
})

test('spellings of a repository select the same credentials', () => {
  for (const spelling of ['https://git.example.com/org/deploy', 'HTTPS://Git.Example.com/Org/Deploy.git'])
    assert.equal(selected([host, exact], spelling), 'exact')
  const scp = secret('scp', { url: 'git@git.example.com:org' }, 'repo-creds')
  assert.equal(selected([scp, host], 'git@git.example.com:org/deploy.git'), 'scp')
  assert.equal(selected([scp, host], 'ssh://git@git.example.com/org/deploy'), 'scp')
})

test('a URL that merely begins with the same text is not below another, and one repository is not above the next', () => {
  const bare = secret('bare', { url: 'https://git.example.com' }, 'repo-creds')
  for (const other of [
    'https://git.example.com.evil.example/org/deploy',
    'https://git.example.comx/org/deploy',
    'http://git.example.com/org/deploy',
    'https://git.example.com:8443/org/deploy',
  ])
    assert.equal(selected([bare, host, prefix, exact], other), undefined, other)
  assert.equal(selected([prefix], 'https://git.example.com/organization/deploy'), undefined)
  assert.equal(selected([exact], 'https://git.example.com/org/deploy/sub'), undefined)
  assert.equal(selected([prefix], 'https://git.example.com/org'), 'prefix')
})

test('of equal candidates the first by name is taken', () => {
  assert.equal(selected([secret('b', { url }), secret('a', { url }), secret('c', { url })]), 'a')
  assert.equal(selectSecret([], url, 'default'), undefined)
})

test('the values of a Secret become what git needs, empty ones left out', async () => {
  const values = {
    username: 'u',
    password: 'p',
    bearerToken: '',
    sshPrivateKey: 'k',
    sshKnownHosts: 'h',
    tlsCaCertificate: 'a',
    tlsClientCertData: 'c',
    tlsClientCertKey: 'd',
    proxy: 'http://proxy.example.com',
    noProxy: 'localhost',
  }
  assert.deepEqual(await gitCredentials(secret('x', { url, ...values })), {
    username: 'u',
    password: 'p',
    sshPrivateKey: 'k',
    sshKnownHosts: 'h',
    tlsCaCertificate: 'a',
    tlsClientCertificate: 'c',
    tlsClientKey: 'd',
    proxy: 'http://proxy.example.com',
    noProxy: 'localhost',
  })
  const insecure = await gitCredentials(secret('x', { url, insecure: 'true', bearerToken: 'b' }))
  assert.deepEqual(insecure, { bearerToken: 'b', insecureSkipTlsVerify: true, insecureIgnoreHostKey: true })
  const hostKey = await gitCredentials(secret('x', { url, insecureIgnoreHostKey: 'true', insecure: 'false' }))
  assert.deepEqual(hostKey, { insecureIgnoreHostKey: true })
})

test('the kind of credentials is reported by the strongest', () => {
  const kind = (values: Record<string, string>) => credentialKind(secret('x', { url, ...values }))
  assert.equal(kind({}), 'none')
  assert.equal(kind({ username: 'u' }), 'none')
  assert.equal(kind({ username: 'u', password: 'p' }), 'password')
  assert.equal(kind({ bearerToken: 'b', password: 'p' }), 'token')
  assert.equal(kind({ sshPrivateKey: 'k', password: 'p' }), 'ssh-key')
  assert.equal(kind({ githubAppPrivateKey: 'g', sshPrivateKey: 'k' }), 'github-app')
})

function appSecret(apiUrl: string, installation: Record<string, string> = { githubAppInstallationID: '77' }) {
  return secret('app', {
    url,
    githubAppID: '42',
    githubAppPrivateKey: appPrivateKey,
    githubAppEnterpriseBaseUrl: apiUrl,
    ...installation,
  })
}

test('a GitHub App gives a password, which is requested once while it lives', async () => {
  await using github = await startGitHub()
  const app = appSecret(`${github.url}//`)
  for (let call = 0; call < 3; call++) {
    const credentials = await gitCredentials(app)
    assert.deepEqual(credentials, { username: 'x-access-token', password: 'installation-token-1' })
  }
  assert.equal(github.requests.length, 1)
})

test('a token with less than five minutes left is renewed', async () => {
  await using github = await startGitHub()
  const app = appSecret(github.url)
  github.answers.lifetimeMs = 4.9 * 60_000
  assert.equal((await gitCredentials(app)).password, 'installation-token-1')
  github.answers.lifetimeMs = 6 * 60_000
  assert.equal((await gitCredentials(app)).password, 'installation-token-2')
  assert.equal((await gitCredentials(app)).password, 'installation-token-2')
  assert.equal(github.requests.length, 2)
})

test('a changed Secret asks for a token of its own, and a rejection is not cached', async () => {
  await using github = await startGitHub()
  github.answers.status = 503
  const app = appSecret(github.url)
  await assert.rejects(gitCredentials(app), { name: 'UnavailableError' })
  delete github.answers.status
  const first = (await gitCredentials(app)).password
  const second = (await gitCredentials(appSecret(github.url, { githubInstallationID: '77' }))).password
  assert.notEqual(first, second)
})

test('a call that is given up does not wait for GitHub', async () => {
  await using github = await startGitHub()
  const app = appSecret(github.url)
  await assert.rejects(gitCredentials(app, { signal: AbortSignal.abort() }), { name: 'CanceledError' })
  assert.deepEqual(github.requests, [])
})

test('a Secret without credentials borrows those of the next URL above it that has some, and nothing that it says itself', async () => {
  const plain = secret('plain', { url, type: 'git', insecure: 'false', username: '' })
  const trusting = secret('trusting', { url: 'https://git.example.com/org' }, 'repo-creds')
  const lender = secret(
    'lender',
    { url: 'https://git.example.com/', username: 'u', password: 'p', insecure: 'true', proxy: 'http://p:1' },
    'repo-creds',
  )
  const found = selectSecret([lender, trusting, plain], url, 'default')
  assert.deepEqual([found?.name, found?.lender?.name, found?.url], ['plain', 'lender', url])
  assert.deepEqual(found && (await gitCredentials(found)), {
    username: 'u',
    password: 'p',
    proxy: 'http://p:1',
  })
  assert.equal(selectSecret([plain, lender], url, 'default'), found, 'it is the same object each time')
  const own = secret('own', { url, sshPrivateKey: 'k' })
  assert.equal(selectSecret([own, lender], url, 'default'), own)
  const ofShop = ofProject('of-shop', lender)
  assert.equal(selectSecret([plain, ofShop], url, 'default'), plain)
  const borrowed = selectSecret([plain, ofShop], url, 'shop')
  assert.deepEqual([borrowed?.values['password'], borrowed?.project], ['p', 'shop'])
})
