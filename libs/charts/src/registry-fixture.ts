import { createHash, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'

/** An OCI registry on the loopback interface. */
export interface TestRegistry extends AsyncDisposable {
  /** `127.0.0.1:<port>`. */
  readonly host: string
  /** Method, path and status of every request, and which authorization it brought. */
  readonly requests: string[]
}

interface Stored {
  readonly type: string
  readonly body: Buffer
}

const manifestType = 'application/vnd.oci.image.manifest.v1+json'

function digestOf(body: Buffer): string {
  return `sha256:${createHash('sha256').update(body).digest('hex')}`
}

/** Pushes a chart as `helm push` does, by the distribution specification; returns the digest of the archive in hexadecimal digits. */
export async function pushChart(
  host: string,
  repository: string,
  version: string,
  archive: Buffer,
  authorization?: string,
): Promise<string> {
  const name = repository.split('/').at(-1)
  const config = Buffer.from(JSON.stringify({ name, version, apiVersion: 'v2' }))
  const types = {
    config: 'application/vnd.cncf.helm.config.v1+json',
    layer: 'application/vnd.cncf.helm.chart.content.v1.tar+gzip',
  }
  return push({ host, repository, tag: version, types, config, archive }, authorization)
}

/** Pushes an archive as `oras push` does; returns the digest of the archive in hexadecimal digits. */
export async function pushArtifact(
  host: string,
  repository: string,
  tag: string,
  archive: Buffer,
  authorization?: string,
): Promise<string> {
  const types = {
    config: 'application/vnd.oci.empty.v1+json',
    layer: 'application/vnd.oci.image.layer.v1.tar+gzip',
  }
  return push({ host, repository, tag, types, config: Buffer.from('{}'), archive }, authorization)
}

interface Pushed {
  host: string
  repository: string
  tag: string
  types: { config: string; layer: string }
  config: Buffer
  archive: Buffer
}

async function push(
  { host, repository, tag: version, types, config, archive }: Pushed,
  authorization?: string,
): Promise<string> {
  const base = `http://${host}/v2/${repository}`
  const headers = authorization === undefined ? {} : { authorization }
  for (const blob of [config, archive]) {
    const begun = await fetch(`${base}/blobs/uploads/`, { method: 'POST', headers })
    const place = new URL(begun.headers.get('location') ?? '', base)
    place.searchParams.set('digest', digestOf(blob))
    await expectStatus(fetch(place, { method: 'PUT', body: new Uint8Array(blob), headers }), 201)
  }
  const manifest = {
    schemaVersion: 2,
    mediaType: manifestType,
    config: {
      mediaType: types.config,
      digest: digestOf(config),
      size: config.length,
    },
    layers: [
      {
        mediaType: types.layer,
        digest: digestOf(archive),
        size: archive.length,
      },
    ],
    annotations: { 'org.opencontainers.image.created': '2026-01-02T03:04:05Z' },
  }
  const put = fetch(`${base}/manifests/${version.replaceAll('+', '_')}`, {
    method: 'PUT',
    body: JSON.stringify(manifest),
    headers: { ...headers, 'content-type': manifestType },
  })
  await expectStatus(put, 201)
  return digestOf(archive).slice('sha256:'.length)
}

async function expectStatus(answer: Promise<Response>, status: number): Promise<void> {
  const { status: is, url } = await answer
  if (is !== status) throw new Error(`${url} answers ${is}`)
}

/**
 * Serves what a registry must, by the distribution specification, with pages of at most two tags.
 * @param options.users name to password: then every request needs a token, which `/token` gives for basic authentication
 */
export async function startRegistry({
  users = {},
}: { users?: Record<string, string> } = {}): Promise<TestRegistry> {
  const blobs = new Map<string, Buffer>()
  const manifests = new Map<string, Stored>()
  const requests: string[] = []
  const token = randomUUID()
  let host = ''
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const url = new URL(request.url ?? '', `http://${host}`)
    const authorization = request.headers.authorization ?? ''
    const end = (status: number, headers: Record<string, string> = {}, body?: Buffer | string): void => {
      const kind = authorization.split(' ', 1).join('')
      requests.push(`${request.method} ${url.pathname}${url.search} ${status}${kind && ` ${kind}`}`)
      response.writeHead(status, headers).end(body)
    }
    if (url.pathname === '/token') {
      const [, name = '', password] =
        /^([^:]*):(.*)$/s.exec(Buffer.from(authorization.slice(6), 'base64').toString()) ?? []
      const scope = url.searchParams.get('scope') ?? ''
      const isKnown =
        password !== undefined && users[name] === password && /^(?:|repository:.+:pull)$/.test(scope)
      return isKnown ? end(200, {}, JSON.stringify({ token })) : end(401)
    }
    if (Object.keys(users).length > 0 && authorization !== `Bearer ${token}`) {
      return end(401, { 'www-authenticate': `Bearer realm="http://${host}/token",service="test registry"` })
    }
    const [, repository = '', rest = ''] =
      /^\/v2\/(.+?)\/((?:blobs|manifests|tags)\/.*)$/.exec(url.pathname) ?? []
    const name = rest.slice(rest.indexOf('/') + 1)
    if (request.method === 'POST') {
      return end(202, { location: `/v2/${repository}/blobs/uploads/${randomUUID()}` })
    }
    if (request.method === 'PUT') {
      const body = await buffer(request)
      const digest = digestOf(body)
      if (rest.startsWith('blobs/')) blobs.set(digest, body)
      else {
        const stored = { type: request.headers['content-type'] ?? '', body }
        for (const key of [name, digest]) manifests.set(`${repository}:${key}`, stored)
      }
      return end(201, { 'docker-content-digest': digest })
    }
    if (rest === 'tags/list') return end(...tagPage(repository, url))
    const blob = rest.startsWith('blobs/') ? blobs.get(name) : undefined
    if (blob) return end(200, { 'content-type': 'application/octet-stream' }, blob)
    const manifest = rest.startsWith('manifests/') ? manifests.get(`${repository}:${name}`) : undefined
    if (!manifest) return end(404, {}, '{"errors":[]}')
    const { type, body } = manifest
    return end(200, { 'content-type': type, 'docker-content-digest': digestOf(body) }, body)
  }
  const tagPage = (repository: string, url: URL): [number, Record<string, string>, string] => {
    const all = [...manifests.keys()]
      .filter((key) => key.startsWith(`${repository}:`) && !key.includes('sha256:'))
      .map((key) => key.slice(repository.length + 1))
      .toSorted()
    const after = all.filter((tag) => tag > (url.searchParams.get('last') ?? ''))
    const tags = after.slice(0, 2)
    const link = `</v2/${repository}/tags/list?n=2&last=${tags.at(-1)}>; rel="next"`
    return [200, after.length > tags.length ? { link } : {}, JSON.stringify({ name: repository, tags })]
  }
  const server = createServer((request, response) => {
    answer(request, response).catch((error: unknown) => response.destroy(error as Error))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  host = `127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    host,
    requests,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
