import { Agent, request } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'

/** One that the gateway answers itself, and one that it passes on. */
const methods = ['ApplicationService/ListApplications', 'PluginService/ListPlugins']
const pauseMs = 50

/** Calls the gateway until it ends: over connections that are kept, as those of an ingress are, and over one for each call. */
export class GatewayLoad {
  calls = 0
  readonly failures: string[] = []
  readonly #callers: Promise<void>[]
  readonly #end = new AbortController()

  constructor(port: number, token: string) {
    this.#callers = [true, true, true, false].map(async (keepAlive, index) => {
      const agent = new Agent({ keepAlive, maxSockets: 1 })
      for (let count = index; !this.#end.signal.aborted; count++) {
        const method = methods[count % methods.length] ?? ''
        const answer = await call({ port, token, method, agent })
        this.calls++
        if (answer !== 200)
          this.failures.push(`${method} over a ${keepAlive ? 'kept' : 'new'} connection: ${answer}`)
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

interface Call {
  readonly port: number
  readonly token: string
  readonly method: string
  readonly agent: Agent
}

/** Returns the status of the answer, with the text of a failure, or why there is none. */
async function call({ port, token, method, agent }: Call): Promise<number | string> {
  const { promise, resolve } = Promise.withResolvers<number | string>()
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${token}` }
  const path = `/wadi.api_gateway.v1.${method}`
  const asked = request({ port, path, method: 'POST', headers, agent }, (answer) => {
    let text = ''
    answer.setEncoding('utf8').on('data', (part: string) => (text += part))
    answer.once('end', () => resolve(answer.statusCode === 200 ? 200 : `${answer.statusCode} ${text}`))
  })
  asked.once('error', (error) => resolve(String(error))).end('{}')
  return promise
}
