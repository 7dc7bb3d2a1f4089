import { createHash } from 'node:crypto'
import { errorMessage } from '@wadi/errors/domain-error.ts'
import { isJsonObject } from '@wadi/fields/json-object.ts'
import { repositoryIdentity } from '@wadi/git/remote/repository-identity.ts'
import type { PushedHead } from './payload-heads.ts'
import type { WebhookRequest, WebhookSecrets } from './webhook-authentication.ts'
import { type WebhookProvider, webhookProviders } from './webhook-providers.ts'

/** The request of a webhook. */
export type WebhookReading =
  /** Nothing, for the reason that is the answer. */
  | { status: number; text: string }
  /** To look at a repository. */
  | {
      /** The repository by every way to reach it that the payload has: of spellings that mean the same, the first. */
      repoUrls: string[]
      /** The branches that it says were pushed, with their new commits. */
      heads: PushedHead[]
      /** The same for a request that is sent once more. */
      delivery: string
    }

/** The maximum number of addresses in one payload, and of characters in each. */
const maxAddresses = 16
const maxAddressLength = 2_048

const wrongCredentials = { status: 401, text: 'the credentials are wrong' }

/**
 * Finds the provider that sent a request by its headers.
 * @returns a rejection when it is none of them, has no secret to be checked against, or has wrong credentials in its headers
 */
export function webhookProviderOf(
  header: WebhookRequest['header'],
  secrets: WebhookSecrets,
): WebhookProvider | { status: number; text: string } {
  const provider = webhookProviders.find(({ recognizes }) => recognizes(header))
  if (provider === undefined) {
    const names = webhookProviders.map(({ name }) => name).join(', ')
    return { status: 400, text: `unknown sender: expected the headers of one of ${names}` }
  }
  const authenticity = provider.authenticate({ header, body: Buffer.alloc(0) }, secrets)
  // Where the headers alone decide, nothing of the body is read for an unknown caller.
  if (authenticity === 'wrong' && !provider.isBodySigned) return wrongCredentials
  if (authenticity !== 'unset') return provider
  const keys = provider.keys.join(provider.needsAllKeys ? ' and ' : ' or ')
  return {
    status: 401,
    text: `webhooks of ${provider.name} are not set up: store ${keys} in the Secret argocd-secret`,
  }
}

/** Reads a webhook. Whether it is authentic is decided over the raw body before anything is parsed. */
export function readWebhook(
  provider: WebhookProvider,
  request: WebhookRequest,
  secrets: WebhookSecrets,
): WebhookReading {
  const { name, eventHeader, ping } = provider
  const headerEvent = eventHeader === undefined ? undefined : request.header(eventHeader)
  const isPing = ping !== undefined && headerEvent === ping
  if (isPing && provider.isPingUnsigned) {
    return {
      status: 200,
      text: `${name} reaches Wadi; its test is not signed, so the secret was not checked`,
    }
  }
  if (provider.authenticate(request, secrets) !== 'authentic') {
    return provider.isBodySigned ? { status: 401, text: 'the signature is wrong' } : wrongCredentials
  }
  if (isPing) return { status: 200, text: `${name} reaches Wadi, and the secret is right` }
  const payload = parsedPayload(request)
  if ('error' in payload) return { status: 400, text: payload.error }
  const event = headerEvent ?? eventOf(payload.value)
  if (!provider.events.test(event)) return nothingToDo(event)
  if (!(provider.concernsBranch?.(payload.value) ?? true)) return nothingToDo(event)
  const repoUrls = distinct(provider.findRepositories(payload.value))
  if (repoUrls.length === 0) {
    return { status: 400, text: `the payload names no repository: expected ${provider.repositoryPlace}` }
  }
  const heads = provider.findHeads(payload.value)
  return { repoUrls, heads, delivery: deliveryOf(provider, request) }
}

function nothingToDo(event: string): WebhookReading {
  return { status: 200, text: `nothing to do for the event ${JSON.stringify(event.slice(0, 100))}` }
}

/** A delivery is known again by what its sender cannot change: by the body where that is signed. */
function deliveryOf(
  { name, isBodySigned, deliveryHeader }: WebhookProvider,
  { header, body }: WebhookRequest,
): string {
  const id = isBodySigned || deliveryHeader === undefined ? '' : header(deliveryHeader)
  return createHash('sha256')
    .update(`${name}\n${id}\n`)
    .update(id === '' ? body : '')
    .digest('base64')
}

function parsedPayload({ header, body }: WebhookRequest): { value: unknown } | { error: string } {
  const text = body.toString('utf8')
  const isForm = header('content-type').startsWith('application/x-www-form-urlencoded')
  const json = isForm ? new URLSearchParams(text).get('payload') : text
  if (json === null) return { error: 'the form has no field "payload"' }
  try {
    return { value: JSON.parse(json) }
  } catch (error) {
    return { error: `the payload is not JSON: ${errorMessage(error).slice(0, 200)}` }
  }
}

/** Azure DevOps names the event only in the payload. */
function eventOf(payload: unknown): string {
  return isJsonObject(payload) && typeof payload['eventType'] === 'string' ? payload['eventType'] : ''
}

function distinct(repoUrls: readonly string[]): string[] {
  const usable = repoUrls.filter((url) => url.length <= maxAddressLength)
  const byKey = Map.groupBy(usable, repositoryIdentity)
  return [...byKey.values()].flatMap(([first = '']) => first).slice(0, maxAddresses)
}
