import { once } from 'node:events'
import type { IncomingMessage } from 'node:http'
import type { JsonObject, JsonValue } from '@bufbuild/protobuf'
import { isJsonObject } from '@wadi/fields/json-object.ts'
import { callTimeoutMs, maxAnswerBytes, type ServerAccess } from './server-access.ts'

/**
 * Calls an RPC that only reads, for an answer that is used as JSON: the libraries for messages take several times as long
 * to load as Node.js takes to start.
 * Returns undefined for everything but a success. The caller then calls with a client, which repeats and explains.
 * @param rpc for example `wadi.api_gateway.v1.ApplicationService/ListApplications`
 */
export async function readJson(
  { url, headers, token, tls }: ServerAccess,
  rpc: string,
  message: JsonObject,
  signal: AbortSignal,
): Promise<JsonObject | undefined> {
  const carried = await token.current()
  const timeout = AbortSignal.timeout(callTimeoutMs)
  try {
    // An `import` of `node:http` would load the whole of fetch, because it reads every name of the module.
    const { request } = process.getBuiltinModule(url.startsWith('https:') ? 'node:https' : 'node:http')
    const call = request(`${url}/${rpc}`, {
      ...tls,
      method: 'POST',
      signal: AbortSignal.any([signal, timeout]),
      headers: { 'content-type': 'application/json', 'accept-encoding': 'gzip' },
    })
    for (const [name, value] of headers) call.appendHeader(name, value)
    if (carried !== '') call.setHeader('authorization', `Bearer ${carried}`)
    call.end(JSON.stringify(message))
    const [response]: IncomingMessage[] = await once(call, 'response')
    if (response?.statusCode !== 200) {
      call.destroy()
      return undefined
    }
    const answer: JsonValue = JSON.parse(await body(response))
    const renewed = response.headers['renew-token']
    if (typeof renewed === 'string') await token.renew(carried, renewed)
    return isJsonObject(answer) ? answer : undefined
  } catch (error) {
    signal.throwIfAborted()
    timeout.throwIfAborted()
    if (error instanceof Error) return undefined
    throw error
  }
}

async function body(response: IncomingMessage): Promise<string> {
  const parts: Buffer[] = []
  let bytes = 0
  for await (const part of response) {
    bytes += part.length
    if (bytes > maxAnswerBytes) throw new Error('the answer is too long')
    parts.push(part)
  }
  const whole = Buffer.concat(parts)
  if (response.headers['content-encoding'] !== 'gzip') return whole.toString('utf8')
  const { gunzipSync } = process.getBuiltinModule('node:zlib')
  return gunzipSync(whole, { maxOutputLength: maxAnswerBytes }).toString('utf8')
}
