import {
  CanceledError,
  DeadlineExceededError,
  FailedPreconditionError,
  ResourceExhaustedError,
  UnavailableError,
} from '@wadi/errors/domain-error.ts'
import { mustBe } from '@wadi/fields/field-findings.ts'
import { isJsonObject } from '@wadi/fields/json-object.ts'
import type { ParameterValues } from '../params/parameter-set.ts'
import type { PluginConfiguration } from './plugin-configuration.ts'

/** The body of a request to a plugin, in Argo CD's form. */
export interface PluginRequest {
  applicationSetName: string
  input: { parameters: Record<string, unknown> }
}

const maxAnswerBytes = 16 * 1024 * 1024
const maxDepth = 100

/**
 * Asks a plugin for parameters. Its answer may have 16 MiB and 100 levels; it cannot send the caller elsewhere.
 * @throws UnavailableError or DeadlineExceededError when it does not answer, FailedPreconditionError for another answer
 *   than parameters, ResourceExhaustedError for one that is too large; none of them shows the token
 */
export async function callPlugin(
  { url, token, timeoutMs }: PluginConfiguration,
  request: PluginRequest,
  callSignal: AbortSignal,
): Promise<ParameterValues[]> {
  const timeout = AbortSignal.timeout(timeoutMs)
  const at = `plugin at ${url.host}`
  let answer: string
  try {
    const response = await fetch(url, {
      method: 'POST',
      redirect: 'manual',
      headers: {
        authorization: `Bearer ${token}`,
        'content-type': 'application/json',
        accept: 'application/json',
      },
      body: JSON.stringify(request),
      signal: AbortSignal.any([callSignal, timeout]),
    })
    requireOk(response, at)
    answer = await boundedText(response, at)
  } catch (cause) {
    if (callSignal.aborted) throw new CanceledError(`${at}: the call was canceled`, { cause })
    if (timeout.aborted)
      throw new DeadlineExceededError(`${at}: no answer within ${timeoutMs / 1_000} s`, { cause })
    // The causes of these are system errors, which have no headers in them.
    throw cause instanceof TypeError ? new UnavailableError(`${at} does not answer`, { cause }) : cause
  }
  return parametersIn(answer, at)
}

function requireOk(response: Response, at: string): void {
  if (response.status === 200 || response.status === 201) return
  void response.body?.cancel()
  if (response.status >= 500 || response.status === 429) {
    throw new UnavailableError(`${at} answered ${response.status}`)
  }
  throw new FailedPreconditionError(
    response.status >= 300 && response.status < 400
      ? `${at} answered ${response.status}, and redirects are not followed; give the final address as baseUrl`
      : `${at} answered ${response.status}; check baseUrl and token`,
  )
}

async function boundedText(response: Response, at: string): Promise<string> {
  const chunks: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of response.body ?? []) {
    bytes += chunk.length
    if (bytes > maxAnswerBytes) {
      throw new ResourceExhaustedError(`${at}: the answer has more than ${maxAnswerBytes} bytes`)
    }
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString()
}

function parametersIn(answer: string, at: string): ParameterValues[] {
  const value = jsonOf(answer, at)
  const output = isJsonObject(value) ? value['output'] : undefined
  const parameters = isJsonObject(output) ? (output['parameters'] ?? []) : undefined
  if (!Array.isArray(parameters)) {
    throw new FailedPreconditionError(`${at}: the answer has no list in output.parameters`)
  }
  return parameters.map((item: unknown, index) => {
    const place = `${at}: output.parameters[${index}]`
    if (!isJsonObject(item)) throw new FailedPreconditionError(`${place} ${mustBe('object', item)}`)
    if (isDeeper(item, maxDepth)) {
      throw new ResourceExhaustedError(`${place} is nested more than ${maxDepth} levels deep`)
    }
    return item
  })
}

function jsonOf(text: string, at: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    // The parser's message would quote the answer, which may repeat the token.
    throw new FailedPreconditionError(`${at}: the answer is not valid JSON`)
  }
}

function isDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false
  return levels === 0 || Object.values(value).some((member) => isDeeper(member, levels - 1))
}
