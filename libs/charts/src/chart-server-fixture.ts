import { once } from 'node:events'
import { readdir, readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { gzipSync } from 'node:zlib'
import { pack } from 'tar-stream'
import { archiveDigest } from './chart-archives.ts'

/** Files by path. */
type Files = Readonly<Record<string, string | Buffer>>

/** A Helm repository on the loopback interface. */
export interface ChartServer extends AsyncDisposable {
  /** The address of the repository. */
  readonly url: string
  /** Method, path and status of every request, and whether it brought credentials. */
  readonly requests: string[]
  /** Responses sent for a path instead of the published content. */
  readonly answers: Map<string, { status: number; headers?: Record<string, string>; body?: Buffer | string }>
  /** Adds a version, or replaces its archive, and returns the archive's digest. */
  publish(name: string, version: string, archive: Buffer): string
}

/** The text of a minimal chart that renders one ConfigMap with its version and a value. */
export function minimalChart(name: string, version: string, more: Files = {}): Files {
  return {
    'Chart.yaml': `apiVersion: v2\nname: ${name}\nversion: ${version}\n`,
    'values.yaml': 'replicas: 1\n',
    'templates/all.yaml':
      'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: {{ .Chart.Name }}}\ndata: {version: {{ .Chart.Version | quote }}, replicas: {{ .Values.replicas | quote }}}\n',
    ...more,
  }
}

/** Packs a chart as `helm package` does: in a directory of its name. */
export async function packChart(name: string, files: Files): Promise<Buffer> {
  const archive = pack()
  for (const [path, content] of Object.entries(files)) archive.entry({ name: `${name}/${path}` }, content)
  archive.finalize()
  return gzipSync(await buffer(archive))
}

/** The files of a chart on disk. */
export async function chartFilesOf(directory: string): Promise<Files> {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true })
  const files: Record<string, Buffer> = {}
  for (const entry of entries) {
    if (!entry.isFile()) continue
    const file = join(entry.parentPath, entry.name)
    files[file.slice(directory.length + 1)] = await readFile(file)
  }
  return files
}

/** Serves a Helm repository; with `users` (name to password) every request needs basic authentication. */
export async function startChartServer({
  users = {},
}: { users?: Record<string, string> } = {}): Promise<ChartServer> {
  const archives = new Map<string, Buffer>()
  const entries = new Map<string, Map<string, string>>()
  const requests: string[] = []
  const answers: ChartServer['answers'] = new Map()
  const index = (): string => {
    const lines = ['apiVersion: v1', 'entries:']
    for (const [name, versions] of entries) {
      lines.push(`  ${name}:`)
      for (const [version, digest] of versions) {
        lines.push(`  - apiVersion: v2`, `    created: "2026-01-02T03:04:05.678Z"`, `    digest: ${digest}`)
        lines.push(`    description: Chart for tests`, `    name: ${name}`, `    urls:`)
        lines.push(`    - ${name}-${version}.tgz`, `    version: ${version}`)
      }
    }
    return `${lines.join('\n')}\n`
  }
  const isKnown = ({ headers }: IncomingMessage): boolean => {
    if (Object.keys(users).length === 0) return true
    const [, name = '', password] =
      /^([^:]*):(.*)$/s.exec(Buffer.from(headers.authorization?.slice(6) ?? '', 'base64').toString()) ?? []
    return password !== undefined && users[name] === password
  }
  const answer = (request: IncomingMessage, response: ServerResponse): number => {
    const path = request.url ?? ''
    const given = answers.get(path)
    if (given) {
      response.writeHead(given.status, given.headers).end(given.body)
      return given.status
    }
    if (!isKnown(request)) {
      response.writeHead(401, { 'www-authenticate': 'Basic realm="charts"' }).end()
      return 401
    }
    const body = path === '/charts/index.yaml' ? Buffer.from(index()) : archives.get(path)
    if (!body) {
      response.writeHead(404).end()
      return 404
    }
    const etag = `"${archiveDigest(body)}"`
    const isUnchanged = request.headers['if-none-match'] === etag
    response.writeHead(isUnchanged ? 304 : 200, { etag }).end(isUnchanged ? undefined : body)
    return isUnchanged ? 304 : 200
  }
  const server = createServer((request, response) => {
    const status = answer(request, response)
    const known = request.headers.authorization === undefined ? '' : ' with credentials'
    requests.push(`${request.method} ${request.url} ${status}${known}`)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}/charts`,
    requests,
    answers,
    publish(name, version, archive) {
      const digest = archiveDigest(archive)
      archives.set(`/charts/${name}-${version}.tgz`, archive)
      entries.getOrInsert(name, new Map()).set(version, digest)
      return digest
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
