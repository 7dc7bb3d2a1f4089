import { request } from 'node:https'

/** An answer of the API server of a plane. */
export interface PlaneAnswer {
  readonly status: number
  readonly body: string
}

/** The body of a request, and the form in which the answer is wanted; JSON by default. */
export interface PlaneBody {
  readonly type?: string
  readonly text?: string
  readonly accept?: string
}

/** Asks an API server, as the fixture itself needs it before Wadi's client does; status 0 when it does not answer. */
export async function askPlane(
  { server, ca, token }: { server: string; ca: string; token: string },
  method: string,
  path: string,
  { type, text, accept = 'application/json' }: PlaneBody = {},
): Promise<PlaneAnswer> {
  const { promise, resolve } = Promise.withResolvers<PlaneAnswer>()
  const headers = {
    authorization: `Bearer ${token}`,
    accept,
    ...(type !== undefined && { 'content-type': type }),
  }
  const sent = request(
    new URL(path, server),
    { ca, method, headers, agent: false, timeout: 10_000 },
    (response) => {
      let answer = ''
      response.setEncoding('utf8')
      response.on('data', (chunk: string) => {
        answer += chunk
      })
      response.on('end', () => resolve({ status: response.statusCode ?? 0, body: answer }))
      response.on('error', (error) => resolve({ status: 0, body: String(error) }))
    },
  )
  sent.on('timeout', () => sent.destroy(new Error('no answer within 10 s')))
  sent.on('error', (error) => resolve({ status: 0, body: String(error) }))
  sent.end(text)
  return promise
}
