import { controlPlaneNamespace } from '@wadi/resources/control-plane-namespace.ts'
import type { NodeServerRequest, NodeServerResponse } from '@wadi/rpc/node-request.ts'
import type { GatewayContext } from '../context.ts'
import { readWebhook, type WebhookSecrets } from './push-event.ts'

const maxBodyBytes = 5 * 1024 * 1024

/**
 * Answers `POST /api/webhook`, Argo CD's path: the hydrator looks at the pushed repository now. It is a hint, so the
 * answer does not wait for the hydration.
 */
export function answerWebhook(context: GatewayContext) {
  return (request: NodeServerRequest, response: NodeServerResponse): boolean => {
    if (request.method !== 'POST' || request.url?.split('?', 1)[0] !== '/api/webhook') return false
    handle(context, request).then(
      ({ status, text }) => answer(response, status, text),
      (error: unknown) => {
        context.logger.error({ err: error }, 'webhook failed')
        answer(response, 500, 'internal error')
      },
    )
    return true
  }
}

async function handle(
  context: GatewayContext,
  request: NodeServerRequest,
): Promise<{ status: number; text: string }> {
  const body = await readBody(request)
  if (!body) return { status: 413, text: `the body is larger than ${maxBodyBytes} bytes` }
  const reading = readWebhook(request.headers, body, await readSecrets(context))
  if ('refused' in reading) return { status: reading.status, text: reading.refused }
  let branches = 0
  for (const repoUrl of reading.event.repoURLs) {
    branches += (await context.hydrator.refreshRepository({ repoUrl })).branches
  }
  return { status: 200, text: `${branches} hydrated branches are looked at` }
}

async function readBody(request: NodeServerRequest): Promise<Buffer | undefined> {
  const chunks: Buffer[] = []
  let length = 0
  for await (const chunk of request) {
    const bytes = chunk as Buffer
    length += bytes.length
    if (length > maxBodyBytes) return undefined
    chunks.push(bytes)
  }
  return Buffer.concat(chunks)
}

async function readSecrets({ store }: GatewayContext): Promise<WebhookSecrets> {
  const secret = await store.get('Secret', controlPlaneNamespace, 'argocd-secret')
  const entries = Object.entries(secret?.data ?? {}).filter(([key]) => key.startsWith('webhook.'))
  return Object.fromEntries(
    entries.map(([key, value]) => [key, Buffer.from(value, 'base64').toString('utf8')]),
  )
}

function answer(response: NodeServerResponse, status: number, text: string): void {
  response.writeHead(status, { 'content-type': 'text/plain; charset=utf-8' })
  response.end(`${text}\n`)
}
