import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import { text } from 'node:stream/consumers'
import type { ResourceStore } from '@wadi/resources/store/resource-store.ts'

/** A request that a plugin received. */
interface ReceivedRequest {
  method: string | undefined
  path: string | undefined
  headers: IncomingHttpHeaders
  body: unknown
}

/** A plugin's answer. */
interface PluginAnswer {
  status?: number
  headers?: Record<string, string>
  /** JSON, unless it is text or bytes already; undefined for no answer at all. */
  body?: unknown
}

/** A plugin, which is a server over HTTP, with its ConfigMap and its Secret. */
export interface PluginFixture extends AsyncDisposable {
  baseUrl: string
  requests: ReceivedRequest[]
  answer: PluginAnswer
}

/** The token of the plugin. */
export const pluginToken = 'plugin-token-1'

/** Starts a plugin and stores how it is reached as the ConfigMap `plugin`. */
export async function startPlugin(
  store: ResourceStore,
  data: Record<string, string> = {},
): Promise<PluginFixture> {
  const fixture: PluginFixture = {
    baseUrl: '',
    requests: [],
    answer: { body: { output: { parameters: [] } } },
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
  const server = createServer((request, response) => {
    void text(request).then((body) => {
      const { method, url: path, headers } = request
      fixture.requests.push({ method, path, headers, body: JSON.parse(body) })
      const { status = 200, headers: answered = {}, body: answer } = fixture.answer
      if (answer === undefined) return
      response.writeHead(status, answered)
      response.end(typeof answer === 'string' || Buffer.isBuffer(answer) ? answer : JSON.stringify(answer))
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (typeof address !== 'object' || address === null) throw new Error('the plugin has no port')
  fixture.baseUrl = `http://127.0.0.1:${address.port}`
  await storePluginConfigMap(store, 'plugin', { baseUrl: fixture.baseUrl, token: '$plugin.token', ...data })
  return fixture
}

/** Stores a ConfigMap of a plugin and, the first time, the Secrets with its token. */
export async function storePluginConfigMap(
  store: ResourceStore,
  name: string,
  data: Record<string, string>,
): Promise<void> {
  const metadata = (of: string) => ({ name: of, namespace: 'argocd' })
  if (!(await store.get('Secret', 'argocd', 'argocd-secret'))) {
    await store.create({
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: metadata('argocd-secret'),
      stringData: { 'plugin.token': pluginToken, broken: 'line\nbreak' },
    })
    await store.create({
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: metadata('other'),
      stringData: { 'a:b': 'other-token' },
    })
  }
  const known = await store.get('ConfigMap', 'argocd', name)
  if (known) await store.update({ ...known, data })
  else await store.create({ apiVersion: 'v1', kind: 'ConfigMap', metadata: metadata(name), data })
}
