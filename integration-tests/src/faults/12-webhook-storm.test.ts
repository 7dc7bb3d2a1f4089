import assert from 'node:assert/strict'
import { createHmac, randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { configMap } from '../application-fixture.ts'
import { isHydratedAt } from '../gateway-fixture.ts'
import { meshOfFile } from '../mesh-fixture.ts'

const mesh = await meshOfFile()

const deliveries = 2_000
const branches = 5
const secret = 'a shared secret'

test('a storm of webhooks makes no more commits than there are dry commits', async () => {
  const { fixture, address } = mesh
  await fixture.gateway.resources.applyResource({
    resource: {
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: { name: 'argocd-secret' },
      stringData: { 'webhook.github.secret': secret },
    },
  })
  const names = Array.from({ length: branches }, (_, index) => `storm-${index}`)
  const content = (value: string) =>
    Object.fromEntries(names.map((name) => [`${name}/a.yaml`, configMap(name, value)]))
  const repository = await fixture.createRepository('storm', content('1'))
  const applications = names.map((name) => ({
    name,
    repoURL: repository.url,
    branch: `environments/${name}`,
  }))
  await fixture.applyAndWait(await repository.dry.head(), ...applications)
  const drySha = await repository.push(content('2'))
  const body = (number: number) =>
    JSON.stringify({
      number,
      ref: 'refs/heads/main',
      after: drySha,
      repository: { clone_url: repository.url },
    })
  const statuses = new Map<number, number>()
  const send = async (number: number): Promise<void> => {
    const text = body(number)
    const answer = await fetch(`${address}/api/webhook`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'x-github-event': 'push',
        'x-github-delivery': randomUUID(),
        'x-hub-signature-256': `sha256=${createHmac('sha256', secret).update(text).digest('hex')}`,
      },
      body: text,
    })
    await answer.arrayBuffer()
    statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1)
  }
  for (let sent = 0; sent < deliveries; sent += 50) {
    // The same number twice is a delivery that is sent again.
    await Promise.all(Array.from({ length: 50 }, (_, index) => send(sent + index - (index % 2))))
  }
  const accepted = [...statuses].filter(([status]) => status < 300 || status === 429)
  assert.equal(
    accepted.reduce((sum, [, count]) => sum + count, 0),
    deliveries,
    JSON.stringify([...statuses]),
  )
  for (const name of names) await fixture.waitFor(name, isHydratedAt(drySha))
  for (const { branch } of applications) assert.equal((await repository.commits(branch)).length, 2)
})
