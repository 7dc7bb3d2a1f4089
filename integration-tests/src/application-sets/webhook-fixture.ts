import { createHmac, randomUUID } from 'node:crypto'
import type { MeshFixture } from '../mesh-fixture.ts'

const secret = 'secret of the webhooks'

/** The Secret that webhooks are signed with. */
export const webhookSecret = {
  apiVersion: 'v1',
  kind: 'Secret',
  metadata: { name: 'argocd-secret' },
  stringData: { 'webhook.github.secret': secret },
}

/** Stores the secret of webhooks. */
export async function applyWebhookSecret({ fixture }: Pick<MeshFixture, 'fixture'>): Promise<void> {
  await fixture.gateway.resources.applyResource({ resource: webhookSecret })
}

/** Tells a mesh of a push as GitHub does, and returns the status and the text of the answer. */
export async function notifyOfPush(
  address: string,
  repoURL: string,
  key = secret,
): Promise<[number, string]> {
  const body = JSON.stringify({
    ref: 'refs/heads/main',
    after: randomUUID(),
    repository: { clone_url: repoURL },
  })
  const signature = createHmac('sha256', key).update(body).digest('hex')
  const answer = await fetch(`${address}/api/webhook`, {
    method: 'POST',
    headers: { 'x-github-event': 'push', 'x-hub-signature-256': `sha256=${signature}` },
    body,
  })
  return [answer.status, (await answer.text()).trim()]
}
