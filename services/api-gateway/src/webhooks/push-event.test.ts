import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { test } from 'node:test'
import { readWebhook, type WebhookSecrets } from './push-event.ts'

const secret = 'a shared secret'
const body = Buffer.from('{"repository":{"clone_url":"https://git.example.com/deploy.git"}}')
const event = { event: { repoURLs: ['https://git.example.com/deploy.git'] } }
const wrong = { refused: 'the signature is wrong', status: 401 }

function hmac(bytes: Buffer, key = secret): string {
  return createHmac('sha256', key).update(bytes).digest('hex')
}

const providers: {
  name: string
  key: keyof WebhookSecrets
  eventHeader: Record<string, string>
  signatureHeader: string
  sign: (bytes: Buffer, key?: string) => string
}[] = [
  {
    name: 'GitHub',
    key: 'webhook.github.secret',
    eventHeader: { 'x-github-event': 'push' },
    signatureHeader: 'x-hub-signature-256',
    sign: (bytes, key) => `sha256=${hmac(bytes, key)}`,
  },
  {
    name: 'GitLab',
    key: 'webhook.gitlab.secret',
    eventHeader: { 'x-gitlab-event': 'Push Hook' },
    signatureHeader: 'x-gitlab-token',
    sign: (_bytes, key = secret) => key,
  },
  {
    name: 'Gitea',
    key: 'webhook.gitea.secret',
    // Gitea and Forgejo imitate GitHub and Gogs beside their own headers.
    eventHeader: { 'x-gitea-event': 'push', 'x-gogs-event': 'push', 'x-github-event': 'push' },
    signatureHeader: 'x-gitea-signature',
    sign: hmac,
  },
  {
    name: 'Gogs',
    key: 'webhook.gogs.secret',
    eventHeader: { 'x-gogs-event': 'push' },
    signatureHeader: 'x-gogs-signature',
    sign: hmac,
  },
]

for (const { name, key, eventHeader, signatureHeader, sign } of providers) {
  const secrets: WebhookSecrets = { [key]: secret }

  test(`${name}: a push with the right signature names its repository`, () => {
    const headers = { ...eventHeader, [signatureHeader]: sign(body) }
    assert.deepEqual(readWebhook(headers, body, secrets), event)
  })

  test(`${name}: a push with another secret's signature, a cut one or none is refused`, () => {
    const signatures = [sign(body, 'another secret'), sign(body).slice(0, -1), `${sign(body)}0`, '']
    for (const signature of signatures) {
      const headers = { ...eventHeader, [signatureHeader]: signature }
      assert.deepEqual(readWebhook(headers, body, secrets), wrong, signature)
    }
    assert.deepEqual(readWebhook(eventHeader, body, secrets), wrong)
  })

  test(`${name}: without a stored secret every push is refused, an unsigned and an empty-signed one too`, () => {
    const refused = { refused: 'no secret is set for webhooks of this provider', status: 401 }
    const others = Object.fromEntries(
      providers.filter((other) => other.key !== key).map((other) => [other.key, secret]),
    )
    for (const stored of [{}, { [key]: '' }, others]) {
      for (const signature of [sign(body), hmac(body, ''), `sha256=${hmac(body, '')}`, '']) {
        const headers = { ...eventHeader, [signatureHeader]: signature }
        assert.deepEqual(readWebhook(headers, body, stored), refused)
      }
    }
  })
}

test('a signature covers every byte of the body', () => {
  const headers = { 'x-github-event': 'push', 'x-hub-signature-256': `sha256=${hmac(body)}` }
  const padded = Buffer.concat([body, Buffer.from(' ')])
  assert.deepEqual(readWebhook(headers, padded, { 'webhook.github.secret': secret }), wrong)
})

test('a signature in the SHA-1 header of GitHub does not count', () => {
  const sha1 = createHmac('sha1', secret).update(body).digest('hex')
  const headers = { 'x-github-event': 'push', 'x-hub-signature': `sha1=${sha1}` }
  assert.deepEqual(readWebhook(headers, body, { 'webhook.github.secret': secret }), wrong)
})

test('a request of no known provider is refused, however it is signed', () => {
  const headers = { 'x-event-key': 'repo:push', 'x-hub-signature-256': `sha256=${hmac(body)}` }
  assert.deepEqual(readWebhook(headers, body, { 'webhook.github.secret': secret }), {
    refused: 'unknown provider; GitHub, GitLab, Gitea, Forgejo and Gogs are known',
    status: 400,
  })
})

function readSigned(text: string) {
  const bytes = Buffer.from(text)
  const headers = { 'x-github-event': 'push', 'x-hub-signature-256': `sha256=${hmac(bytes)}` }
  return readWebhook(headers, bytes, { 'webhook.github.secret': secret })
}

test('a signed body that is no JSON is refused', () => {
  for (const text of ['', '{', 'payload=%7B%7D', '\u0000'])
    assert.deepEqual(readSigned(text), { refused: 'the body is no JSON', status: 400 })
})

test('a signed payload without a repository is refused', () => {
  const payloads = ['null', '[]', '3', '"repository"', '{}', '{"repository":null}', '{"repository":"x"}']
  payloads.push('{"repository":{"clone_url":7,"ssh_url":""}}', '{"project":[]}')
  for (const text of payloads) {
    assert.deepEqual(readSigned(text), { refused: 'the payload names no repository', status: 400 }, text)
  }
})

test('every way to reach a repository is read, spellings that mean the same once', () => {
  const payload = {
    repository: {
      clone_url: 'https://git.example.com/a/b.git',
      ssh_url: 'git@git.example.com:a/b.git',
      html_url: 'https://git.example.com/a/b',
      url: 'https://git.example.com/a/b',
      git_http_url: 'https://git.example.com/c/d.git',
      git_ssh_url: 'ssh://git@git.example.com/c/d.git',
      description: 'https://elsewhere.example.com/x.git',
    },
    project: { web_url: 'https://git.example.com/c/d', git_http_url: 'https://git.example.com/c/d.git' },
    sender: { url: 'https://git.example.com/someone' },
  }
  assert.deepEqual(readSigned(JSON.stringify(payload)), {
    event: {
      repoURLs: [
        'https://git.example.com/a/b.git',
        'git@git.example.com:a/b.git',
        'https://git.example.com/c/d.git',
        'ssh://git@git.example.com/c/d.git',
      ],
    },
  })
})
