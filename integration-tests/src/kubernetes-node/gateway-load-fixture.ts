import { randomUUID } from 'node:crypto'
import { Agent, request } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'

/** One that the gateway answers itself, and one that it passes on. */
const reads = ['ApplicationService/ListApplications', 'PluginService/ListPlugins']
const readsPerWrite = 40
const pauseMs = 50

/** Calls the gateway until it ends, now and then to make a project that must not be there yet: over connections that are kept, as those of an ingress are, and over one for each call. */
export class GatewayLoad {
  calls = 0
  readonly failures: string[] = []
  readonly #callers: Promise<void>[]
  readonly #end = new AbortController()

  constructor(port: number, token: string) {
    this.#callers = [true, true, true, false].map(async (keepAlive, index) => {
      const agent = new Agent({ keepAlive, maxSockets: 1 })
      for (let count = index; !this.#end.signal.aborted; count++) {
        const asked = count % readsPerWrite === 0 ? write() : read(count)
        const answer = await call({ port, token, agent, ...asked })
        this.calls++
        if (!answer.startsWith('200 ') || !answer.includes(asked.says))
          this.failures.push(`${asked.method} over a ${keepAlive ? 'kept' : 'new'} connection: ${answer}`)
        await delay(pauseMs)
      }
      agent.destroy()
    })
  }

  /** Ends the calls after those under way. */
  async end(): Promise<void> {
    this.#end.abort()
    await Promise.all(this.#callers)
  }
}

interface Asked {
  readonly method: string
  readonly body: string
  /** A part of the answer. */
  readonly says: string
}

function read(count: number): Asked {
  return { method: reads[count % reads.length] ?? '', body: '{}', says: '' }
}

/** A call whose answer says if it was done before. */
function write(): Asked {
  const project = { metadata: { name: `load-${randomUUID()}` }, spec: {} }
  return { method: 'ProjectService/CreateProject', body: JSON.stringify({ project }), says: '"created"' }
}

interface Call {
  readonly port: number
  readonly token: string
  readonly agent: Agent
  readonly method: string
  readonly body: string
}

/** Returns the status of the answer and its text, or why there is none. */
async function call({ port, token, agent, method, body }: Call): Promise<string> {
  const { promise, resolve } = Promise.withResolvers<string>()
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${token}` }
  const path = `/wadi.api_gateway.v1.${method}`
  const asked = request({ port, path, method: 'POST', headers, agent }, (answer) => {
    let text = ''
    answer.setEncoding('utf8').on('data', (part: string) => (text += part))
    answer.once('end', () => resolve(`${answer.statusCode} ${text}`))
  })
  asked.once('error', (error) => resolve(String(error))).end(body)
  return promise
}
