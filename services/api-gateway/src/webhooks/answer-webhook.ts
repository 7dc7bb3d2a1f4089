import { DeadlineExceededError, UnavailableError } from '@wadi/errors/domain-error.ts'
import { controlPlaneNamespace } from '@wadi/resources/control-plane-namespace.ts'
import type { NodeServerRequest, NodeServerResponse } from '@wadi/rpc/node-request.ts'
import type { GatewayContext } from '../context.ts'
import { readWebhook, type WebhookSecrets } from './push-event.ts'

const maxBodyBytes = 5 * 1024 * 1024

/** How long appset-service may take to say how many sets read a repository. */
const appsetServiceTimeoutMs = 5_000

/**
 * Answers `POST /api/webhook`, Argo CD's path: the hydrator and the ApplicationSets that read the repository look at it
 * now. It is a hint, so the answer does not wait for what comes of it.
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
  const { repoURLs } = reading.event
  const [branches, sets] = await Promise.all([
    sumOf(repoURLs, async (repoUrl) => (await context.hydrator.refreshRepository({ repoUrl })).branches),
    sumOf(repoURLs, (repoUrl) => refreshApplicationSets(context, repoUrl)),
  ])
  return { status: 200, text: `${branches} hydrated branches and ${sets} ApplicationSets are looked at` }
}

async function sumOf(
  repoURLs: readonly string[],
  refresh: (repoUrl: string) => Promise<number>,
): Promise<number> {
  const counts = await Promise.all(repoURLs.map(refresh))
  return counts.reduce((sum, count) => sum + count, 0)
}

/** ApplicationSets are an extra: where nobody serves them, or not in time, a push is one for the hydrator alone. */
async function refreshApplicationSets(
  { appsetService, logger }: GatewayContext,
  repoUrl: string,
): Promise<number> {
  try {
    const options = { timeoutMs: appsetServiceTimeoutMs }
    return (await appsetService.refreshRepository({ repoUrl }, options)).applicationSets
  } catch (error) {
    if (!(error instanceof UnavailableError) && !(error instanceof DeadlineExceededError)) throw error
    logger.debug({ err: error }, 'ApplicationSets were not told of a push')
    return 0
  }
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
