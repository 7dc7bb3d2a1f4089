import assert from 'node:assert/strict'
import { createPrivateKey, generateKeyPairSync } from 'node:crypto'
import { test } from 'node:test'
import { requestInstallationToken } from './github-app-token.ts'
import { appPrivateKey, type GitHubServer, startGitHub } from './github-fixture.ts'

function app({ url }: GitHubServer) {
  return { appId: '42', installationId: '77', privateKey: appPrivateKey, apiUrl: url }
}

test('GitHub gives a token for a JWT that the App has signed', async () => {
  await using github = await startGitHub()
  const before = Date.now()
  const { token, expiresAt } = await requestInstallationToken(app(github))
  assert.equal(token, 'installation-token-1')
  assert.ok(expiresAt >= before + 3_600_000 && expiresAt <= Date.now() + 3_600_000)
  assert.deepEqual(github.requests, ['POST /api/v3/app/installations/77/access_tokens signed'])
})

test('a key in the PEM form that GitHub hands out (PKCS #1) is taken', async () => {
  await using github = await startGitHub()
  const privateKey = createPrivateKey(appPrivateKey).export({ type: 'pkcs1', format: 'pem' })
  assert.match(privateKey, /BEGIN RSA PRIVATE KEY/)
  assert.equal((await requestInstallationToken({ ...app(github), privateKey })).token, 'installation-token-1')
})

test('the installation cannot lead the request elsewhere', async () => {
  await using github = await startGitHub()
  const refused = requestInstallationToken({ ...app(github), installationId: '77/../../user?x=' })
  await assert.rejects(refused, { name: 'FailedPreconditionError' })
  assert.deepEqual(github.requests, [
    'POST /api/v3/app/installations/77%2F..%2F..%2Fuser%3Fx%3D/access_tokens signed',
  ])
})

test('the error for an App with another key or number says what to check', async () => {
  await using github = await startGitHub()
  const other = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey
  const privateKey = other.export({ type: 'pkcs8', format: 'pem' })
  for (const [wrong, number] of [
    [{ privateKey }, '42'],
    [{ appId: '43' }, '43'],
  ] as const) {
    await assert.rejects(requestInstallationToken({ ...app(github), ...wrong }), {
      name: 'FailedPreconditionError',
      message:
        `GitHub App ${number}: ${new URL(github.url).host} answered 401 for installation 77; ` +
        "check the App's number, installation and private key",
    })
  }
})

test('a key that cannot be read is refused without a word of it', async () => {
  await using github = await startGitHub()
  const ed25519 = generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' })
  for (const privateKey of ['', 'hunter2', appPrivateKey.slice(0, 200), ed25519]) {
    await assert.rejects(requestInstallationToken({ ...app(github), privateKey }), {
      name: 'InvalidInputError',
      message: /^GitHub App 42: githubAppPrivateKey is not an RSA private key in PEM$/,
    })
  }
  assert.deepEqual(github.requests, [])
})

test('an API address that is not a URL is refused', async () => {
  for (const apiUrl of ['ghe.example.com', '', 'file:///etc']) {
    const app42 = { appId: '42', installationId: '77', privateKey: appPrivateKey, apiUrl }
    await assert.rejects(requestInstallationToken(app42), { name: 'InvalidInputError' }, apiUrl)
  }
})

test('a GitHub that is unreachable, overloaded or answers nonsense may be asked again', async () => {
  const unavailable = { name: 'UnavailableError' }
  let gone: Parameters<typeof requestInstallationToken>[0]
  {
    await using github = await startGitHub()
    for (const status of [500, 503, 429]) {
      github.answers.status = status
      await assert.rejects(requestInstallationToken(app(github)), {
        ...unavailable,
        message: `GitHub App 42: ${new URL(github.url).host} answered ${status}`,
      })
    }
    github.answers.status = 201
    for (const body of [
      '{}',
      '{"token":7,"expires_at":"2026-01-01T00:00:00Z"}',
      'null',
      '<html>ghs_secret',
    ]) {
      github.answers.body = body
      await assert.rejects(requestInstallationToken(app(github)), (error: Error) => {
        assert.deepEqual(
          [error.name, error.message],
          ['UnavailableError', 'GitHub App 42: the answer has no token'],
        )
        assert.ok(!String(error.cause).includes('ghs_secret'))
        return true
      })
    }
    gone = app(github)
  }
  await assert.rejects(requestInstallationToken(gone), unavailable)
})

test('a redirect is not followed, so the JWT stays with the API that was named', async () => {
  await using github = await startGitHub()
  await using elsewhere = await startGitHub()
  github.answers.status = 307
  github.answers.headers = { location: `${elsewhere.url}/app/installations/77/access_tokens` }
  await assert.rejects(requestInstallationToken(app(github)), { name: 'UnavailableError' })
  assert.deepEqual(elsewhere.requests, [])
})
