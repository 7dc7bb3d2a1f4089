import { createContextValues } from '@connectrpc/connect'
import { DeadlineExceededError, UnavailableError } from '@wadi/errors/domain-error.ts'
import { controlPlaneNamespace } from '@wadi/resources/control-plane-namespace.ts'
import type { NodeServerRequest, NodeServerResponse } from '@wadi/rpc/node-request.ts'
import { replicaRank } from '@wadi/rpc/replicas/route.ts'
import type { GatewayContext } from '../context.ts'
import type { PushedHead } from './payload-heads.ts'
import { type BodyRejection, createBodyReader, type ReadBody } from './read-body.ts'
import { readWebhook, webhookProviderOf } from './read-webhook.ts'
import { createReceivedDeliveries, type ReceivedDeliveries } from './received-deliveries.ts'
import type { WebhookSecrets } from './webhook-authentication.ts'

/** The largest payload in megabytes unless `webhook.maxPayloadSizeMB` of `argocd-cm` says otherwise; both are Argo CD's. */
const defaultMaxMegabytes = 50

/** Time limit for appset-service to return how many sets read a repository. */
const appsetServiceTimeoutMs = 5_000

interface Answer {
  status: number
  text: string
}

const bodyRejections: Readonly<Record<BodyRejection, Answer>> = {
  'too large': { status: 413, text: 'the payload is too large; see webhook.maxPayloadSizeMB in argocd-cm' },
  'too slow': { status: 408, text: 'the payload took too long to come in' },
  'too many': { status: 503, text: 'too many webhooks come in at this time; send it again later' },
}

/**
 * Answers `POST /api/webhook`, Argo CD's path: the hydrator and the ApplicationSets that read the repository look at it
 * now. It is a hint, so the answer does not wait for what comes of it.
 */
export function answerWebhook(context: GatewayContext) {
  const deliveries = createReceivedDeliveries()
  const readBody = createBodyReader()
  return (request: NodeServerRequest, response: NodeServerResponse): boolean => {
    if (request.method !== 'POST' || request.url?.split('?', 1)[0] !== '/api/webhook') return false
    handle(context, request, { deliveries, readBody }).then(
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
  { deliveries, readBody }: { deliveries: ReceivedDeliveries; readBody: ReadBody },
): Promise<Answer> {
  const header = (name: string): string => String(request.headers[name] ?? '')
  const secrets = await readSecrets(context)
  const provider = webhookProviderOf(header, secrets)
  if ('status' in provider) return provider
  const body = await readBody(request, await maxPayloadBytes(context))
  if (!Buffer.isBuffer(body)) return bodyRejections[body]
  const reading = readWebhook(provider, { header, body }, secrets)
  if ('status' in reading) return reading
  if (!deliveries.add(reading.delivery)) return { status: 200, text: 'already received: nothing queued' }
  try {
    return await refresh(context, reading)
  } catch (error) {
    deliveries.remove(reading.delivery)
    throw error
  }
}

async function refresh(
  context: GatewayContext,
  { repoUrls, heads }: { repoUrls: readonly string[]; heads: PushedHead[] },
): Promise<Answer> {
  const [branches, sets] = await Promise.all([
    sumOf(
      repoUrls,
      async (repoUrl) =>
        (await context.hydrator.refreshRepository({ repoUrl, heads, isWebhook: true })).branches,
    ),
    sumOf(repoUrls, (repoUrl) => refreshApplicationSets(context, repoUrl)),
  ])
  const queued = `${counted(branches, 'hydrated branch', 'hydrated branches')} and ${counted(sets, 'ApplicationSet', 'ApplicationSets')}`
  return { status: 200, text: `queued ${queued}` }
}

function counted(count: number, one: string, many: string): string {
  return `${count} ${count === 1 ? one : many}`
}

async function sumOf<T>(items: readonly T[], refreshOne: (item: T) => Promise<number>): Promise<number> {
  const counts = await Promise.all(items.map(refreshOne))
  return counts.reduce((sum, count) => sum + count, 0)
}

/** ApplicationSets are an extra: where nobody serves them, or not in time, a push is one for the hydrator alone. */
async function refreshApplicationSets(
  { appsetService, logger }: GatewayContext,
  repoUrl: string,
): Promise<number> {
  try {
    // Each replica knows what its own sets read.
    const ranks = Array.from({ length: await appsetService.replicas() }, (_, rank) => rank)
    return await sumOf(ranks, async (rank) => {
      const contextValues = createContextValues().set(replicaRank, rank)
      const options = { timeoutMs: appsetServiceTimeoutMs, contextValues }
      return (await appsetService.refreshRepository({ repoUrl }, options)).applicationSets
    })
  } catch (error) {
    if (!(error instanceof UnavailableError) && !(error instanceof DeadlineExceededError)) throw error
    logger.debug({ err: error }, 'ApplicationSets were not notified of a push')
    return 0
  }
}

async function maxPayloadBytes({ store }: GatewayContext): Promise<number> {
  const settings = await store.get('ConfigMap', controlPlaneNamespace, 'argocd-cm')
  const given = settings?.data?.['webhook.maxPayloadSizeMB'] ?? ''
  return (/^[1-9]\d{0,2}$/.test(given) ? Number(given) : defaultMaxMegabytes) * 1024 * 1024
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
