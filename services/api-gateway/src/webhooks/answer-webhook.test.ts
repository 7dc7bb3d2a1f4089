import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { test } from 'node:test'
import { Code, ConnectError } from '@connectrpc/connect'
import { type GatewayFixture, openGatewayFixture } from '../gateway-fixture.ts'
import { answerWebhook } from './answer-webhook.ts'

const secret = 'a shared secret'

/** Serves the webhooks of a gateway whose `argocd-secret` is stored already. */
async function serveWebhooks(fixture: GatewayFixture): Promise<AsyncDisposable & { url: string }> {
  await fixture.context.store.create({
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name: 'argocd-secret', namespace: 'argocd' },
    stringData: { 'webhook.github.secret': secret, 'admin.password': 'not for webhooks' },
  })
  const answerRequest = answerWebhook(fixture.context)
  const server = createServer((request, response) => {
    if (!answerRequest(request, response)) response.writeHead(404).end('not a webhook')
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  return {
    url: `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}/api/webhook`,
    async [Symbol.asyncDispose]() {
      server.close()
      server.closeAllConnections()
      await once(server, 'close')
    },
  }
}

async function post(url: string, body: string | Buffer<ArrayBuffer>, signature = sign(body)) {
  const headers = { 'x-github-event': 'push', 'x-hub-signature-256': signature }
  const response = await fetch(url, { method: 'POST', headers, body })
  return { status: response.status, text: await response.text() }
}

function sign(body: string | Buffer): string {
  return `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`
}

const push = JSON.stringify({
  repository: { clone_url: 'https://git.example.com/a.git', ssh_url: 'git@git.example.com:b.git' },
})

/** Peers with so many branches for each repository, and one ApplicationSet for those that have any. */
function countBranches(counts: Record<string, number>) {
  return {
    hydrator: { refreshRepository: ({ repoUrl = '' }) => ({ branches: counts[repoUrl] ?? 0 }) },
    appsetService: {
      refreshRepository: ({ repoUrl = '' }) => ({ applicationSets: Math.min(1, counts[repoUrl] ?? 0) }),
    },
  }
}

test('a signed push makes the hydrator and ApplicationSets look at each repository that it names', async () => {
  await using fixture = await openGatewayFixture(
    countBranches({ 'https://git.example.com/a.git': 2, 'git@git.example.com:b.git': 1 }),
  )
  await using served = await serveWebhooks(fixture)
  const answer = await post(`${served.url}?source=github`, push)
  const text = 'queued 3 hydrated branches and 2 ApplicationSets\n'
  assert.deepEqual(answer, { status: 200, text })
  const reported = fixture.calls.map(
    (call, index) => `${call} ${String(fixture.requests[index]?.['repoUrl'])}`,
  )
  assert.deepEqual(reported.toSorted(), [
    'AppsetService/RefreshRepository git@git.example.com:b.git',
    'AppsetService/RefreshRepository https://git.example.com/a.git',
    'HydratorService/RefreshRepository git@git.example.com:b.git',
    'HydratorService/RefreshRepository https://git.example.com/a.git',
  ])
})

test('a webhook reaches the owner: it goes to every replica of appset-service, as each knows its own ApplicationSets', async () => {
  const counts = { 'https://git.example.com/a.git': 1 }
  await using fixture = await openGatewayFixture(countBranches(counts))
  Object.assign(fixture.context.appsetService, { replicas: async () => 3 })
  await using served = await serveWebhooks(fixture)
  const text = 'queued 1 hydrated branch and 3 ApplicationSets\n'
  assert.deepEqual(await post(`${served.url}?source=github`, push), { status: 200, text })
})

for (const code of [Code.Unavailable, Code.DeadlineExceeded]) {
  test(`a push reaches the hydrator when appset-service answers ${Code[code]}`, async () => {
    await using fixture = await openGatewayFixture({
      ...countBranches({ 'https://git.example.com/a.git': 2 }),
      appsetService: {
        refreshRepository: () => {
          throw new ConnectError('nobody there', code)
        },
      },
    })
    await using served = await serveWebhooks(fixture)
    const text = 'queued 2 hydrated branches and 0 ApplicationSets\n'
    assert.deepEqual(await post(served.url, push), { status: 200, text })
  })
}

test('a pull request is reported as a push is', async () => {
  await using fixture = await openGatewayFixture(countBranches({ 'https://git.example.com/a.git': 1 }))
  await using served = await serveWebhooks(fixture)
  const body = JSON.stringify({ action: 'opened', number: 7, ...JSON.parse(push) })
  const headers = { 'x-github-event': 'pull_request', 'x-hub-signature-256': sign(body) }
  const response = await fetch(served.url, { method: 'POST', headers, body })
  assert.equal(await response.text(), 'queued 1 hydrated branch and 1 ApplicationSet\n')
})

test('a push with a wrong signature reaches nobody', async () => {
  await using fixture = await openGatewayFixture(countBranches({}))
  await using served = await serveWebhooks(fixture)
  const answer = await post(served.url, push, sign('something else'))
  assert.deepEqual(answer, { status: 401, text: 'the signature is wrong\n' })
  assert.deepEqual(fixture.calls, [])
})

test('a payload larger than argocd-cm permits is answered with 413, whether its length is declared or not', async () => {
  await using fixture = await openGatewayFixture(countBranches({}))
  await fixture.context.store.create({
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: 'argocd-cm', namespace: 'argocd' },
    data: { 'webhook.maxPayloadSizeMB': '2' },
  })
  await using served = await serveWebhooks(fixture)
  const largest = Buffer.alloc(2 * 1024 * 1024, ' ')
  largest.write(push)
  assert.equal((await post(served.url, largest)).status, 200)
  fixture.calls.length = 0
  const larger = Buffer.alloc(4 * 1024 * 1024, ' ')
  larger.write(push)
  const text = 'the payload is too large; see webhook.maxPayloadSizeMB in argocd-cm\n'
  assert.deepEqual(await post(served.url, larger), { status: 413, text })
  const unknownLength = new ReadableStream({
    start: (controller) => {
      controller.enqueue(larger)
      controller.close()
    },
  })
  const headers = { 'x-github-event': 'push', 'x-hub-signature-256': sign(larger) }
  const init = { method: 'POST', headers, body: unknownLength, duplex: 'half' } as RequestInit
  assert.equal((await fetch(served.url, init)).status, 413)
  assert.deepEqual(fixture.calls, [])
})

test('a delivery that is sent again does nothing, whatever its headers say', async () => {
  await using fixture = await openGatewayFixture(countBranches({ 'https://git.example.com/a.git': 2 }))
  await using served = await serveWebhooks(fixture)
  assert.equal((await post(served.url, push)).text, 'queued 2 hydrated branches and 1 ApplicationSet\n')
  fixture.calls.length = 0
  const again = { status: 200, text: 'already received: nothing queued\n' }
  assert.deepEqual(await post(served.url, push), again)
  const headers = {
    'x-github-event': 'push',
    'x-github-delivery': 'another',
    'x-hub-signature-256': sign(push),
  }
  const response = await fetch(served.url, { method: 'POST', headers, body: push })
  assert.equal(await response.text(), again.text)
  assert.deepEqual(fixture.calls, [])
})

test('a delivery that could not be answered may be sent again', async () => {
  let isAway = true
  await using fixture = await openGatewayFixture({
    ...countBranches({}),
    hydrator: {
      refreshRepository: () => {
        if (isAway) throw new ConnectError('away', Code.Unavailable)
        return { branches: 1 }
      },
    },
  })
  await using served = await serveWebhooks(fixture)
  assert.equal((await post(served.url, push)).status, 500)
  isAway = false
  assert.equal((await post(served.url, push)).text, 'queued 2 hydrated branches and 0 ApplicationSets\n')
})

test('when the hydrator cannot be reached the sender sees 500 without the reason, and the log has it', async () => {
  await using fixture = await openGatewayFixture({
    ...countBranches({}),
    hydrator: {
      refreshRepository: () => {
        throw new ConnectError('the hydrator at unix:/run/hydrator.sock is away', Code.Unavailable)
      },
    },
  })
  await using served = await serveWebhooks(fixture)
  assert.deepEqual(await post(served.url, push), { status: 500, text: 'internal error\n' })
  assert.match(fixture.lines.join(''), /hydrator\.sock is away/)
})

test('other paths and methods are left to others', async () => {
  await using fixture = await openGatewayFixture(countBranches({}))
  await using served = await serveWebhooks(fixture)
  assert.equal((await fetch(served.url)).status, 404)
  assert.equal((await post(`${served.url}/x`, push)).status, 404)
  assert.deepEqual(fixture.calls, [])
})
