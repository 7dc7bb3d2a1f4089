import { InvalidInputError, NotFoundError, ResourceExhaustedError } from '@wadi/errors/domain-error.ts'
import { isJsonObject } from '@wadi/fields/json-object.ts'
import type { ForgeAnswer, ForgeClient, ForgeLogin } from './forge-client.ts'
import { type ForgeMethod, isReading } from './forge-exchange.ts'
import { optionalTextAt } from './forge-values.ts'
import { followingSkip, withPage, withParameter } from './forge-paging.ts'

/** The API of one forge for one caller. */
export interface ForgeApi {
  /** @throws NotFoundError and what the client throws */
  one<Value>(place: ForgePlace, read: (body: unknown) => Value): Promise<Value>
  /** The same; undefined where there is no such thing. */
  find<Value>(place: ForgePlace, read: (body: unknown) => Value): Promise<Value | undefined>
  /** The items of every page, at most 10,000. */
  all<Item>(place: ForgePlace, read: (item: unknown) => Item): Promise<Item[]>
  /** Returns true if the place exists. */
  has(place: ForgePlace, method: 'GET' | 'HEAD'): Promise<boolean>
  /** Changes something; `read` gets undefined for an answer without a body. */
  send<Value>(
    method: Exclude<ForgeMethod, 'GET' | 'HEAD'>,
    place: ForgePlace,
    body: unknown,
    read: (body: unknown) => Value,
  ): Promise<Value>
}

/** The place that is asked for. */
interface ForgePlace {
  /** The segments of the path, not yet encoded. */
  path: readonly string[]
  query?: Readonly<Record<string, string>>
}

const maxItems = 10_000
const maxPages = 500

type Ask = <Value>(
  method: ForgeMethod,
  path: string,
  query: string,
  read: (body: unknown) => Value,
  body?: unknown,
) => Promise<ForgeAnswer<Value>>

/** The API that a client asks; `signal` ends every question. */
export function forgeApi(client: ForgeClient, login: ForgeLogin, signal: AbortSignal): ForgeApi {
  const encodedQuery = (query: ForgePlace['query']): string => {
    const text = new URLSearchParams({ ...login.forge.query, ...query }).toString()
    return text === '' ? '' : `?${text}`
  }
  const ask: Ask = async (method, path, query, read, body) =>
    client.ask(login, { method, path, query, read, ...(!isReading(method) && { body }) }, signal)
  const read: <Value>(
    method: 'GET' | 'HEAD',
    place: ForgePlace,
    take: (body: unknown) => Value,
  ) => Promise<Value> = async (method, { path, query }, take) => {
    const { value } = await ask(method, encodedPath(path), encodedQuery(query), take)
    return value
  }
  return {
    one: async (place, take) => read('GET', place, take),
    find: async (place, take) => unlessAbsent(read('GET', place, take)),
    all: async ({ path, query }, take) => {
      const asked = encodedPath(path)
      const items = await itemsOfPages(ask, asked, encodedQuery(query), take)
      if (items) return items
      throw new ResourceExhaustedError(
        `${login.forge.name}: GET ${login.base.href}${asked}: there are more than ${maxItems} items; narrow it down`,
      )
    },
    send: async (method, { path, query }, body, take) => {
      const { value } = await ask(method, encodedPath(path), encodedQuery(query), take, body)
      return value
    },
    has: async (place, method) => (await unlessAbsent(read(method, place, () => true))) ?? false,
  }
}

async function unlessAbsent<Value>(asked: Promise<Value>): Promise<Value | undefined> {
  try {
    return await asked
  } catch (error) {
    if (error instanceof NotFoundError) return undefined
    throw error
  }
}

/** The items of every page, undefined when there are too many. */
async function itemsOfPages<Item>(
  ask: Ask,
  path: string,
  firstQuery: string,
  read: (item: unknown) => Item,
): Promise<Item[] | undefined> {
  const items: Item[] = []
  let query = firstQuery
  for (let page = 1; page <= maxPages; page += 1) {
    const answer = await ask('GET', path, query, (body) => {
      const { values, next } = pageOf(body, query)
      return { values: values.map(read), next }
    })
    const { values, next } = answer.value
    items.push(...values)
    if (items.length > maxItems) return undefined
    // Some lists of Gitea have no Link header.
    const hasMore = answer.total !== undefined && values.length > 0 && items.length < answer.total
    const following = answer.following ?? next ?? (hasMore ? withPage(query, page + 1) : undefined)
    if (following === undefined) return items
    query = following
  }
  return undefined
}

/**
 * The items of a page; Bitbucket puts them into an object, with the address of the following page, or with the place where it starts. Azure
 * DevOps has an object with nothing but the items, whose last page is the one that is not full.
 */
function pageOf(body: unknown, query: string): { values: readonly unknown[]; next: string | undefined } {
  if (Array.isArray(body)) return { values: body, next: undefined }
  if (isJsonObject(body) && Array.isArray(body['values'])) {
    const start = body['isLastPage'] === false ? optionalTextAt(body, 'nextPageStart') : undefined
    if (start !== undefined) return { values: body['values'], next: withParameter(query, 'start', start) }
    const next = URL.parse(optionalTextAt(body, 'next') ?? '')?.search
    return { values: body['values'], next: next === '' ? undefined : next }
  }
  if (isJsonObject(body) && Array.isArray(body['value'])) {
    return { values: body['value'], next: followingSkip(query, body['value'].length) }
  }
  throw new InvalidInputError('the answer is not a list; is it the API?')
}

/** @throws InvalidInputError for a segment that would lead elsewhere */
function encodedPath(path: readonly string[]): string {
  for (const segment of path) {
    if (['', '.', '..'].includes(segment)) {
      throw new InvalidInputError(`${JSON.stringify(segment)} is not a name that a forge can be asked for`)
    }
  }
  return path.map((segment) => encodeURIComponent(segment)).join('/')
}
