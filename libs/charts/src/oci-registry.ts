import { createHash } from 'node:crypto'
import { FailedPreconditionError, NotFoundError, PermissionDeniedError } from '@wadi/errors/domain-error.ts'
import { isJsonObject } from '@wadi/fields/json-object.ts'
import { authorizationHeader } from '@wadi/git/remote/credentials.ts'
import { type ChartLocation, isChartDigest } from '@wadi/git/remote/chart-location.ts'
import { isStrictVersion } from './choose-version.ts'
import { tokenAddress } from './token-address.ts'
import { type WebAccess, type WebAnswer, webRequest } from './web-request.ts'

/** A registry's description of one version of a chart. */
export interface RegistryChart {
  /** The SHA-256 of the archive, 64 hexadecimal digits. */
  readonly digest: string
  /** RFC 3339; empty where the manifest does not say. */
  readonly created: string
  readonly description: string
}

const manifestTypes = [
  'application/vnd.oci.image.manifest.v1+json',
  'application/vnd.docker.distribution.manifest.v2+json',
]
const chartLayerType = 'application/vnd.cncf.helm.chart.content.v1.tar+gzip'
/** The media types of an artifact with files, as in Argo CD by default. */
const artifactLayerTypes = [
  'application/vnd.oci.image.layer.v1.tar',
  'application/vnd.oci.image.layer.v1.tar+gzip',
  chartLayerType,
]
const maxJsonBytes = 8 * 1024 * 1024
const maxArchiveBytes = 100 * 1024 * 1024
const maxTagPages = 100
const maxTags = 100_000

/**
 * One repository of an OCI registry, by the distribution specification. A token that the registry asks for is requested
 * where the registry says, and kept for this object's requests.
 */
export class OciRegistry {
  readonly #access: WebAccess
  readonly #location: ChartLocation
  #authorization: string | undefined

  constructor(access: WebAccess, location: ChartLocation) {
    this.#access = access
    this.#location = location
  }

  /** The versions that have a tag, without tags that are no versions for Helm; a tag has `_` where a version has `+`. */
  async versions(signal: AbortSignal): Promise<string[]> {
    const versions: string[] = []
    let seen = 0
    let url: string | undefined = this.#url('tags/list?n=1000')
    for (let page = 0; url !== undefined && page < maxTagPages && seen < maxTags; page++) {
      const answer: WebAnswer = await this.#ask(url, {}, maxJsonBytes, signal)
      const tags = fieldOf(jsonOf(answer), 'tags')
      for (const tag of Array.isArray(tags) ? tags : []) {
        seen++
        const version = typeof tag === 'string' ? tag.replaceAll('_', '+') : ''
        if (isStrictVersion(version)) versions.push(version)
      }
      url = nextPage(answer)
    }
    return versions
  }

  /**
   * Returns the chart that the registry has for a version or for the digest of a manifest.
   * @throws NotFoundError, FailedPreconditionError for something that is not a chart
   */
  async chart(version: string, signal: AbortSignal): Promise<RegistryChart> {
    const { layers, ...said } = await this.#manifest(version, signal)
    const layer = layers.find((one) => fieldOf(one, 'mediaType') === chartLayerType)
    const digest = digestOf(layer)
    if (digest !== undefined) return { digest, ...said }
    throw new FailedPreconditionError(
      `${this.#place} ${version} is not a Helm chart: its manifest has no layer ${chartLayerType}`,
    )
  }

  /**
   * Returns the artifact with files that the registry has for a tag or for the digest of a manifest.
   * @throws NotFoundError, FailedPreconditionError for something else than one archive
   */
  async artifact(tag: string, signal: AbortSignal): Promise<RegistryChart> {
    const { layers, ...said } = await this.#manifest(tag, signal)
    const [layer] = layers
    const digest = artifactLayerTypes.includes(textOf(layer, 'mediaType')) ? digestOf(layer) : undefined
    if (digest !== undefined && layers.length === 1) return { digest, ...said }
    throw new FailedPreconditionError(
      `${this.#place} ${tag} is not an artifact with files: its manifest must have one layer, of ${artifactLayerTypes.join(' or ')}`,
    )
  }

  async #manifest(version: string, signal: AbortSignal) {
    const wanted = isChartDigest(version) ? version : undefined
    const url = this.#url(`manifests/${wanted ?? encodeURIComponent(version.replaceAll('+', '_'))}`)
    const answer = await this.#ask(url, { accept: manifestTypes.join(', ') }, maxJsonBytes, signal)
    assertDigest(answer, wanted)
    const manifest = jsonOf(answer)
    const layers = fieldOf(manifest, 'layers')
    const annotations = fieldOf(manifest, 'annotations')
    const created = new Date(textOf(annotations, 'org.opencontainers.image.created'))
    return {
      layers: Array.isArray(layers) ? (layers as unknown[]) : [],
      created: Number.isNaN(created.getTime()) ? '' : created.toISOString().replace(/\.\d+Z$/, 'Z'),
      description: textOf(annotations, 'org.opencontainers.image.description').slice(0, 1_000),
    }
  }

  /** The archive of a digest. */
  async archive(digest: string, signal: AbortSignal): Promise<Buffer> {
    return (await this.#ask(this.#url(`blobs/sha256:${digest}`), {}, maxArchiveBytes, signal)).body
  }

  /**
   * Has the registry look at user and password, where there are some: what they may read is known with a chart alone.
   * @throws PermissionDeniedError when it does not accept them
   */
  async checkCredentials(signal: AbortSignal): Promise<void> {
    const url = `${this.#location.baseUrl}/v2/`
    const request = { url, maxBytes: maxJsonBytes, accepts: [401, 404] }
    const answer = await webRequest(withoutPassword(this.#access), request, signal)
    if (answer.status !== 401 || authorizationHeader(this.#access.credentials) === undefined) return
    const authorization = await this.#authorize(answer, signal, '')
    const again = await webRequest(withoutPassword(this.#access), { ...request, authorization }, signal)
    if (again.status === 401 && authorization.startsWith('Basic')) throw this.#refused()
  }

  get #place(): string {
    return `${new URL(this.#location.baseUrl).host}/${this.#location.name}`
  }

  #url(rest: string): string {
    return `${this.#location.baseUrl}/v2/${this.#location.name}/${rest}`
  }

  async #ask(
    url: string,
    headers: Record<string, string>,
    maxBytes: number,
    signal: AbortSignal,
  ): Promise<WebAnswer> {
    const access = withoutPassword(this.#access)
    for (let attempt = 0; ; attempt++) {
      const authorization = this.#authorization
      const request = {
        url,
        headers,
        maxBytes,
        accepts: [401],
        ...(authorization !== undefined && { authorization }),
      }
      const answer = await webRequest(access, request, signal).catch((error: unknown) => {
        if (!(error instanceof NotFoundError)) throw error
        throw new NotFoundError(`${this.#place}: the registry has no such version or chart`, { cause: error })
      })
      if (answer.status !== 401) return answer
      if (attempt === 1) throw this.#refused()
      this.#authorization = await this.#authorize(answer, signal)
    }
  }

  /** The value of `Authorization` that a challenge asks for. */
  async #authorize(
    { headers }: WebAnswer,
    signal: AbortSignal,
    scope = `repository:${this.#location.name}:pull`,
  ): Promise<string> {
    const challenge = headers['www-authenticate'] ?? ''
    const basic = authorizationHeader(this.#access.credentials)
    if (/^basic\b/i.test(challenge) && basic !== undefined) return basic
    const address = tokenAddress(challenge, scope)
    if (address === undefined) throw this.#refused()
    const access = withoutPassword(this.#access)
    const request = {
      url: address.href,
      maxBytes: maxJsonBytes,
      ...(basic !== undefined && { authorization: basic }),
    }
    const answer = await webRequest(access, request, signal).catch((error: unknown) => {
      throw error instanceof PermissionDeniedError ? this.#refused() : error
    })
    const token = jsonOf(answer)
    const text = textOf(token, 'token') || textOf(token, 'access_token')
    if (text === '') throw this.#refused()
    return `Bearer ${text}`
  }

  #refused(): PermissionDeniedError {
    return new PermissionDeniedError(
      `${this.#place}: the registry asks for other credentials; ${this.#access.advice}`,
    )
  }
}

/** The certificates alone: a registry says what it wants before it gets a password. */
function withoutPassword(access: WebAccess): WebAccess {
  const {
    username: _username,
    password: _password,
    bearerToken: _bearerToken,
    ...credentials
  } = access.credentials
  return { ...access, credentials }
}

/** @throws FailedPreconditionError when the answer is not what its digest says: the one that was asked for, else the one that came along */
function assertDigest({ headers, body, url }: WebAnswer, wanted?: string): void {
  const said = wanted ?? headers['docker-content-digest']
  const is = `sha256:${createHash('sha256').update(body).digest('hex')}`
  if (typeof said !== 'string' || !said.startsWith('sha256:') || said === is) return
  throw new FailedPreconditionError(
    `${new URL(url).host} sent a manifest that is not the one of its digest ${said}`,
  )
}

/** The next page of a list, on the same host alone. */
function nextPage({ headers, url }: WebAnswer): string | undefined {
  const link = /^<([^>]+)>;\s*rel="?next"?/.exec(String(headers['link'] ?? ''))?.[1]
  const next = link === undefined ? null : URL.parse(link, url)
  return next?.origin === new URL(url).origin ? next.href : undefined
}

function digestOf(layer: unknown): string | undefined {
  return /^sha256:([0-9a-f]{64})$/.exec(textOf(layer, 'digest'))?.[1]
}

function jsonOf({ body, url }: WebAnswer): unknown {
  try {
    return JSON.parse(body.toString('utf8'))
  } catch (cause) {
    throw new FailedPreconditionError(`${new URL(url).host} does not answer as a registry does: no JSON`, {
      cause,
    })
  }
}

function fieldOf(value: unknown, name: string): unknown {
  return isJsonObject(value) && Object.hasOwn(value, name) ? value[name] : undefined
}

function textOf(value: unknown, name: string): string {
  const text = fieldOf(value, name)
  return typeof text === 'string' ? text : ''
}
