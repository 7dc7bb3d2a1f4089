import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import path from 'node:path'
import { tokenAddress } from '@wadi/charts/token-address.ts'
import { z } from 'zod'

/** A manifest, with the bytes that its digest is over. */
export interface OciManifest {
  readonly mediaType: string
  readonly bytes: Uint8Array<ArrayBuffer>
}

const acceptedManifests = [
  'application/vnd.oci.image.index.v1+json',
  'application/vnd.oci.image.manifest.v1+json',
  'application/vnd.docker.distribution.manifest.list.v2+json',
  'application/vnd.docker.distribution.manifest.v2+json',
].join(', ')

/** Returns the SHA-256 of bytes as registries write it. */
export function sha256Digest(bytes: Uint8Array): string {
  return `sha256:${createHash('sha256').update(bytes).digest('hex')}`
}

/** One repository of an OCI registry that is written to, by the distribution specification. */
export class OciRepository {
  /** Its name as users write it: `registry.example.com/team/wadi`. */
  readonly name: string
  readonly #address: URL
  #authorization: string | undefined

  /** @param address such as `https://registry.example.com/team/wadi` */
  constructor(address: URL) {
    this.name = `${address.host}${address.pathname}`
    this.#address = address
  }

  /** Returns the manifest of a tag or a digest; undefined if there is none. */
  async manifest(reference: string): Promise<Buffer | undefined> {
    return this.#find(`manifests/${reference}`, { accept: acceptedManifests })
  }

  /** Returns the index of the manifests that refer to the one of a digest; undefined from a registry that does not keep one. */
  async referrers(digest: string): Promise<Buffer | undefined> {
    return this.#find(`referrers/${digest}`, {})
  }

  /** Uploads a blob unless it is there. */
  async putBlob(digest: string, content: Blob): Promise<void> {
    const found = await this.#ask(this.#url(`blobs/${digest}`), { method: 'HEAD' }, [200, 404])
    if (found.status === 200) return
    const begun = await this.#ask(this.#url('blobs/uploads/'), { method: 'POST' }, [202])
    const place = new URL(begun.headers.get('location') ?? '', begun.url)
    place.searchParams.set('digest', digest)
    const headers = { 'content-type': 'application/octet-stream' }
    await this.#ask(place, { method: 'PUT', headers, body: content }, [201])
  }

  /** Uploads a manifest, whose blobs must be there, under its digest or a tag. */
  async putManifest({ mediaType, bytes }: OciManifest, tag = sha256Digest(bytes)): Promise<void> {
    const headers = { 'content-type': mediaType }
    await this.#ask(this.#url(`manifests/${tag}`), { method: 'PUT', headers, body: bytes }, [201])
  }

  #url(rest: string): URL {
    return new URL(`/v2${this.#address.pathname}/${rest}`, this.#address)
  }

  async #find(rest: string, headers: Record<string, string>): Promise<Buffer | undefined> {
    const response = await this.#ask(this.#url(rest), { headers }, [200, 404])
    const bytes = Buffer.from(await response.arrayBuffer())
    return response.status === 404 ? undefined : bytes
  }

  async #ask(url: URL, request: RequestInit, expected: readonly number[]): Promise<Response> {
    const answer = await this.#send(url, request)
    const challenge = answer.headers.get('www-authenticate')
    if (answer.status !== 401 || challenge === null) return this.#checked(answer, request, expected)
    await answer.body?.cancel()
    this.#authorization = await this.#authorize(challenge)
    return this.#checked(await this.#send(url, request), request, expected)
  }

  async #send(url: URL, request: RequestInit): Promise<Response> {
    const headers = new Headers(request.headers)
    // Some registries have blobs uploaded to another server, which the address itself lets in.
    if (this.#authorization !== undefined && url.origin === this.#address.origin) {
      headers.set('authorization', this.#authorization)
    }
    try {
      return await fetch(url, { ...request, headers })
    } catch (error) {
      const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error
      throw new Error(`${this.name}: ${url.host} does not answer: ${String(cause)}`, { cause: error })
    }
  }

  async #checked(answer: Response, { method = 'GET' }: RequestInit, expected: readonly number[]) {
    if (expected.includes(answer.status)) return answer
    const { host, pathname } = new URL(answer.url)
    const said = (await answer.text()).slice(0, 500)
    const advice = answer.status === 401 || answer.status === 403 ? `; log in: docker login ${host}` : ''
    throw new Error(`${this.name}: ${method} ${pathname} answers ${answer.status}${advice} ${said}`.trimEnd())
  }

  async #authorize(challenge: string): Promise<string> {
    const login = await storedLogin(this.#address.host)
    const basic = login === undefined ? undefined : `Basic ${login}`
    if (/^basic\b/i.test(challenge) && basic !== undefined) return basic
    const scope = `repository:${this.#address.pathname.slice(1)}:pull,push`
    const address = tokenAddress(challenge, scope)
    if (address === undefined) {
      throw new Error(`${this.name} needs a login: docker login ${this.#address.host}`)
    }
    const headers = basic === undefined ? undefined : { authorization: basic }
    const answer = await this.#checked(await fetch(address, { headers: headers ?? {} }), {}, [200])
    const { token, access_token: accessToken } = tokenSchema.parse(await answer.json())
    return `Bearer ${token ?? accessToken}`
  }
}

const tokenSchema = z.object({ token: z.string().optional(), access_token: z.string().optional() })
const loginsSchema = z.object({
  auths: z.record(z.string(), z.object({ auth: z.string().optional() })).optional(),
})

/** The user and password for a host, in Base64, that `docker login` stored in its file; undefined if there is none. */
async function storedLogin(host: string): Promise<string | undefined> {
  const directory = process.env['DOCKER_CONFIG'] ?? path.join(homedir(), '.docker')
  const text = await readFile(path.join(directory, 'config.json'), 'utf8').catch(() => '{}')
  return loginsSchema.parse(JSON.parse(text)).auths?.[host]?.auth
}
