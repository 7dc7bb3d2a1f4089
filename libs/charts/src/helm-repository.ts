import { createHash } from 'node:crypto'
import { FailedPreconditionError, UnavailableError } from '@wadi/errors/domain-error.ts'
import { redactUrl } from '@wadi/git/remote/repository-url.ts'
import { LRUCache } from 'lru-cache'
import type { ChartLocation } from '@wadi/git/remote/chart-location.ts'
import { type ChartVersion, chartVersions } from './helm-index.ts'
import { type WebAccess, webRequest } from './web-request.ts'

const maxIndexBytes = 64 * 1024 * 1024
const maxArchiveBytes = 100 * 1024 * 1024
const maxCachedBytes = 128 * 1024 * 1024
const maxCachedCharts = 1_000

interface CachedIndex {
  readonly text: string
  /** Identifies the text. */
  readonly tag: string
  readonly etag: string
}

/** The indexes of Helm repositories, asked for again each time and sent again only when they changed. */
export class HelmIndexes {
  readonly #indexes = new LRUCache<string, CachedIndex>({
    maxSize: maxCachedBytes,
    sizeCalculation: ({ text }) => text.length + 1,
  })
  readonly #versions = new LRUCache<string, ChartVersion[]>({ max: maxCachedCharts })

  /**
   * The versions of a chart now.
   * @param identity of what the repository is reached with: others may see another index
   */
  async versions(
    access: WebAccess,
    { baseUrl, name }: ChartLocation,
    identity: string,
    signal: AbortSignal,
  ): Promise<ChartVersion[]> {
    const url = `${baseUrl}/index.yaml`
    const key = `${url}\n${identity}`
    const cached = this.#indexes.get(key)
    const headers = cached && cached.etag !== '' ? { 'if-none-match': cached.etag } : {}
    const answer = await webRequest(access, { url, headers, maxBytes: maxIndexBytes, accepts: [304] }, signal)
    const index = answer.status === 304 ? cached : cachedIndex(answer.body, answer.headers.etag)
    if (!index)
      throw new UnavailableError(`${redactUrl(url)} says that it is unchanged, and nothing was known of it`)
    this.#indexes.set(key, index)
    const versionsKey = `${index.tag}\n${name}`
    const known = this.#versions.get(versionsKey)
    if (known) return known
    const versions = chartVersions(index.text, name, redactUrl(url))
    this.#versions.set(versionsKey, versions)
    return versions
  }
}

/** Reaches a Helm repository: its index need not be read. */
export async function checkRepository(
  access: WebAccess,
  { baseUrl }: Pick<ChartLocation, 'baseUrl'>,
  signal: AbortSignal,
): Promise<void> {
  await webRequest(access, { url: `${baseUrl}/index.yaml`, maxBytes: maxIndexBytes }, signal)
}

function cachedIndex(body: Buffer, etag = ''): CachedIndex {
  return { text: body.toString('utf8'), tag: createHash('sha256').update(body).digest('hex'), etag }
}

/** Downloads the archive of a version from the first of its places. */
export async function downloadChart(
  access: WebAccess,
  { baseUrl, name }: ChartLocation,
  { urls, version }: ChartVersion,
  signal: AbortSignal,
): Promise<Buffer> {
  const url = URL.parse(urls[0] ?? '', `${baseUrl}/index.yaml`)
  if (url === null || !/^https?:$/.test(url.protocol)) {
    throw new FailedPreconditionError(
      `${redactUrl(baseUrl)}: chart ${name} ${version} is at ${JSON.stringify(redactUrl(urls[0] ?? ''))}, which is not a web address`,
    )
  }
  return (
    await webRequest(accessFor(access, baseUrl, url), { url: url.href, maxBytes: maxArchiveBytes }, signal)
  ).body
}

/** Another host than the one of the repository gets no credentials of it, unless their owner says so; none go from https to http. */
function accessFor(access: WebAccess, baseUrl: string, url: URL): WebAccess {
  const base = new URL(baseUrl)
  const isDowngrade = base.protocol === 'https:' && url.protocol !== 'https:'
  const isPassed = access.passesCredentials === true && !isDowngrade
  if (base.origin === url.origin || isPassed) return access
  const advice =
    'the credentials of the repository are not sent to another host than its own; let them with "wadi repo add --pass-credentials --upsert" if you trust it'
  return { ...access, credentials: {}, advice }
}
