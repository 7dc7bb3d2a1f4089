import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { test } from 'node:test'
import { readWebhook, webhookProviderOf } from './read-webhook.ts'
import type { WebhookSecrets } from './webhook-authentication.ts'
import { after, type ProviderPush, providerPushes } from './webhook-fixture.ts'

function read(headers: Readonly<Record<string, string>>, text: string, secrets: WebhookSecrets) {
  const header = (name: string) => headers[name] ?? ''
  const provider = webhookProviderOf(header, secrets)
  return 'status' in provider ? provider : readWebhook(provider, { header, body: Buffer.from(text) }, secrets)
}

/** Reads what a provider sends, signed by it, with headers of its own. */
function readFrom(push: ProviderPush, text: string, extra: Record<string, string> = {}) {
  return read({ ...push.headers(text), ...extra }, text, push.secrets)
}

function pushOf(name: string): ProviderPush {
  const push = providerPushes.find((candidate) => candidate.name === name)
  assert.ok(push)
  return push
}

const github = pushOf('GitHub')

for (const push of providerPushes) {
  const { name, secrets, repoUrls } = push
  const body = JSON.stringify(push.payload)

  test(`${name}: an authentic push names its repository, the same delivery each time`, () => {
    const reading = readFrom(push, body)
    assert.ok('repoUrls' in reading)
    assert.deepEqual(reading.repoUrls, repoUrls)
    assert.deepEqual(reading.heads, [{ branch: 'main', sha: after }])
    assert.deepEqual(readFrom(push, body), reading)
  })

  test(`${name}: a push that is not authentic is refused, whatever the payload is`, () => {
    for (const text of [body, '{', '']) {
      const reading = read(push.headers(text, false), text, secrets)
      assert.ok('text' in reading)
      assert.equal(reading.status, 401)
      assert.match(reading.text, /^the (?:signature is|credentials are) wrong$/)
    }
    const unsigned = Object.entries(push.headers(body)).map(([key, value]): [string, string] => [
      key,
      /signature|token|authorization|hook-uuid/.test(key) ? value.slice(0, -4) : value,
    ])
    const cut = read(Object.fromEntries(unsigned), body, secrets)
    assert.equal('status' in cut && cut.status, 401)
  })

  test(`${name}: without a stored secret every push is refused with the key to store`, () => {
    const others = providerPushes.filter((other) => other.name !== name).map((other) => other.secrets)
    const empty = Object.fromEntries(Object.keys(secrets).map((key) => [key, '']))
    const stored = Object.assign({}, ...others, name === 'Gitea' ? { 'webhook.gogs.secret': '' } : {})
    for (const unset of [{}, empty, stored]) {
      const reading = read(push.headers(body), body, unset)
      assert.ok('text' in reading)
      assert.equal(reading.status, 401)
      assert.ok(reading.text.includes(Object.keys(secrets)[0] ?? '?'), reading.text)
    }
  })

  test(`${name}: an authentic payload that is not valid JSON or names no repository is refused with a message`, () => {
    for (const text of ['', '{', '\u0000', '[1,', '{"repository":{]']) {
      const reading = readFrom(push, text)
      assert.ok('text' in reading)
      assert.deepEqual([reading.status, reading.text.split(':')[0]], [400, 'the payload is not JSON'], text)
    }
    const { eventType } = push.payload
    for (const value of [
      null,
      [],
      3,
      'x',
      {},
      { repository: null },
      { repository: { links: 7, clone_url: 7 } },
    ]) {
      const payload = eventType === undefined ? value : { eventType, resource: value }
      const reading = readFrom(push, JSON.stringify(payload))
      assert.ok('text' in reading, JSON.stringify(payload))
      assert.equal(reading.status, 400)
      assert.match(reading.text, /^the payload names no repository: expected \w/)
    }
  })
}

test('Gitea is checked with the key for Gogs, as Argo CD does, unless it has a key of its own', () => {
  const gitea = pushOf('Gitea')
  const body = JSON.stringify(gitea.payload)
  const gogs = { 'webhook.gogs.secret': 'a shared secret' }
  assert.ok('repoUrls' in read(gitea.headers(body), body, gogs))
  const both = { ...gogs, 'webhook.gitea.secret': 'its own' }
  assert.deepEqual(read(gitea.headers(body), body, both), { status: 401, text: 'the signature is wrong' })
})

test('a push of GitHub as a form, its default, is read', () => {
  const form = new URLSearchParams({ payload: JSON.stringify(github.payload) }).toString()
  const type = { 'content-type': 'application/x-www-form-urlencoded' }
  const reading = readFrom(github, form, type)
  assert.deepEqual('repoUrls' in reading && reading.repoUrls, github.repoUrls)
  assert.deepEqual(readFrom(github, 'data=1', type), { status: 400, text: 'the form has no field "payload"' })
})

test('a ping is answered, by its signature where it has one', () => {
  const ping = { 'x-github-event': 'ping' }
  const body = '{"zen":"Design for failure.","hook_id":1}'
  assert.deepEqual(readFrom(github, body, ping), {
    status: 200,
    text: 'GitHub reaches Wadi, and the secret is right',
  })
  const forged = read({ ...github.headers(body, false), ...ping }, body, github.secrets)
  assert.deepEqual(forged, { status: 401, text: 'the signature is wrong' })
  const bitbucket = pushOf('Bitbucket Server')
  assert.deepEqual(read({ 'x-event-key': 'diagnostics:ping' }, '{"test":true}', bitbucket.secrets), {
    status: 200,
    text: 'Bitbucket Server reaches Wadi; its test is not signed, so the secret was not checked',
  })
})

test('an event that concerns no branch has nothing to do', () => {
  const body = JSON.stringify(github.payload)
  assert.deepEqual(readFrom(github, body, { 'x-github-event': 'star' }), {
    status: 200,
    text: 'nothing to do for the event "star"',
  })
  const azure = pushOf('Azure DevOps')
  assert.deepEqual(readFrom(azure, '{"eventType":"build.complete"}'), {
    status: 200,
    text: 'nothing to do for the event "build.complete"',
  })
})

test('the events of pull requests of Azure DevOps name their repository, and push no branch', () => {
  const azure = pushOf('Azure DevOps')
  const remoteUrl = 'https://acme@dev.azure.com/acme/Web%20Shop/_git/deploy%20it'
  for (const eventType of ['git.pullrequest.created', 'git.pullrequest.updated', 'git.pullrequest.merged']) {
    const resource = {
      pullRequestId: 7,
      status: 'active',
      sourceRefName: 'refs/heads/next',
      repository: { name: 'deploy it', project: { name: 'Web Shop' }, remoteUrl },
    }
    const reading = readFrom(azure, JSON.stringify({ id: '1', eventType, resource }))
    assert.ok('repoUrls' in reading)
    assert.deepEqual(reading.repoUrls, ['https://dev.azure.com/acme/Web%20Shop/_git/deploy%20it'])
    assert.deepEqual(reading.heads, [])
  }
  const { 'webhook.azuredevops.username': _user, ...password } = azure.secrets
  const unset = read(azure.headers('{}'), '{}', password)
  assert.ok('text' in unset)
  assert.match(unset.text, /store webhook\.azuredevops\.username and webhook\.azuredevops\.password in/)
})

test('a signature covers every byte of the body, and one with SHA-1 is not accepted', () => {
  const body = JSON.stringify(github.payload)
  const wrong = { status: 401, text: 'the signature is wrong' }
  assert.deepEqual(read(github.headers(body), `${body} `, github.secrets), wrong)
  const sha1 = createHmac('sha1', 'a shared secret').update(body).digest('hex')
  const headers = { 'x-github-event': 'push', 'x-hub-signature': `sha1=${sha1}` }
  assert.deepEqual(read(headers, body, github.secrets), wrong)
})

test('another delivery id makes a signed body no other delivery, and another body does', () => {
  const body = JSON.stringify(github.payload)
  const delivery = (text: string, id: string) => {
    const reading = readFrom(github, text, { 'x-github-delivery': id })
    return 'delivery' in reading ? reading.delivery : assert.fail()
  }
  assert.equal(delivery(body, 'one'), delivery(body, 'two'))
  assert.notEqual(delivery(body, 'one'), delivery(`${body} `, 'one'))
})

test('a request of no known provider is refused with the known ones', () => {
  const reading = read({ 'user-agent': 'curl' }, '{}', github.secrets)
  assert.ok('text' in reading)
  assert.equal(reading.status, 400)
  assert.match(reading.text, /^unknown sender: expected the headers of one of Azure DevOps, .*GitHub, GitLab/)
})

test('every repository is read, whatever its spellings once, at most 16', () => {
  const payload = {
    repository: {
      clone_url: 'https://git.example.com/a/b.git',
      html_url: 'https://user:password@git.example.com/a/b',
      url: `https://git.example.com/${'x'.repeat(3_000)}`,
      git_ssh_url: 'ssh://git@git.example.com/c/d.git',
      description: 'https://elsewhere.example.com/x.git',
    },
    project: { web_url: 'https://git.example.com/c/d' },
    sender: { url: 'https://git.example.com/someone' },
  }
  const reading = readFrom(github, JSON.stringify(payload))
  assert.deepEqual('repoUrls' in reading && reading.repoUrls, [
    'https://git.example.com/a/b.git',
    'ssh://git@git.example.com/c/d.git',
  ])
  const links = Array.from({ length: 100 }, (_, index) => ({
    href: `https://b.example.com/scm/a/r${index}.git`,
  }))
  const many = readFrom(
    pushOf('Bitbucket Server'),
    JSON.stringify({ repository: { links: { clone: links } } }),
  )
  assert.equal('repoUrls' in many && many.repoUrls.length, 16)
})

test('a system hook of GitLab about users, keys and projects has nothing to do', () => {
  const gitlab = pushOf('GitLab')
  const system = { 'x-gitlab-event': 'System Hook' }
  for (const event_name of ['project_create', 'user_create', 'key_destroy', 'user_add_to_team']) {
    assert.deepEqual(readFrom(gitlab, JSON.stringify({ event_name, path_with_namespace: 'a/b' }), system), {
      status: 200,
      text: 'nothing to do for the event "System Hook"',
    })
  }
  for (const event_name of ['push', 'tag_push', 'repository_update']) {
    const reading = readFrom(gitlab, JSON.stringify({ ...gitlab.payload, event_name }), system)
    assert.deepEqual('repoUrls' in reading && reading.repoUrls, gitlab.repoUrls)
  }
})
