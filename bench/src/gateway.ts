import { createHmac, randomBytes } from 'node:crypto'
import { type Client, createClient, type Interceptor } from '@connectrpc/connect'
import { createConnectTransport } from '@connectrpc/connect-node'
import { ApplicationService } from '@wadi/protocol/gen/wadi/api_gateway/v1/application_service_pb.ts'
import { RepositoryService } from '@wadi/protocol/gen/wadi/api_gateway/v1/repository_service_pb.ts'
import { ResourceService } from '@wadi/protocol/gen/wadi/api_gateway/v1/resource_service_pb.ts'
import { ReviewService } from '@wadi/protocol/gen/wadi/api_gateway/v1/review_service_pb.ts'
import type { MeshProcess } from './mesh-process.ts'

/** The public API of a mesh, as a user with all rights calls it. */
export interface Gateway {
  readonly applications: Client<typeof ApplicationService>
  readonly repositories: Client<typeof RepositoryService>
  readonly reviews: Client<typeof ReviewService>
  readonly resources: Client<typeof ResourceService>
  /** Tells of a push to `main` as GitHub does. */
  webhook(repoURL: string, sha: string): Promise<void>
  /** Reports a new head of a pull request as GitHub does. */
  pullRequestWebhook(repoURL: string, number: number): Promise<void>
}

/** Connects to the gateway and stores a secret for webhooks. */
export async function connectGateway({ address, adminToken }: MeshProcess): Promise<Gateway> {
  const authorize: Interceptor = (next) => (request) => {
    request.header.set('authorization', `Bearer ${adminToken}`)
    return next(request)
  }
  const transport = createConnectTransport({
    baseUrl: address,
    httpVersion: '1.1',
    useBinaryFormat: false,
    readMaxBytes: 256 * 1024 * 1024,
    interceptors: [authorize],
  })
  const secret = randomBytes(16).toString('hex')
  const resources = createClient(ResourceService, transport)
  await resources.applyResource({
    resource: {
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: { name: 'argocd-secret', namespace: 'argocd' },
      stringData: { 'webhook.github.secret': secret },
    },
  })
  return {
    applications: createClient(ApplicationService, transport),
    repositories: createClient(RepositoryService, transport),
    reviews: createClient(ReviewService, transport),
    resources,
    webhook: (repoURL, after) =>
      postWebhook({ address, secret }, repoURL, 'push', { ref: 'refs/heads/main', after }),
    pullRequestWebhook: (repoURL, number) =>
      postWebhook({ address, secret }, repoURL, 'pull_request', { action: 'synchronize', number }),
  }
}

async function postWebhook(
  { address, secret }: { address: string; secret: string },
  repoURL: string,
  event: 'push' | 'pull_request',
  what: object,
): Promise<void> {
  const body = JSON.stringify({ ...what, repository: { clone_url: repoURL } })
  const signature = createHmac('sha256', secret).update(body).digest('hex')
  const response = await fetch(`${address}/api/webhook`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'x-github-event': event,
      'x-hub-signature-256': `sha256=${signature}`,
    },
    body,
  })
  const text = await response.text()
  if (!response.ok) throw new Error(`the webhook was answered ${response.status}: ${text}`)
}
