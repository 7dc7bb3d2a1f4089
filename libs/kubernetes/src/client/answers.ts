import { ResourceExhaustedError, UnavailableError } from '@wadi/errors/domain-error.ts'
import type { Resource } from '@wadi/resources/resource.ts'

/** A list as the API sends it; the objects of built-in kinds come without `apiVersion` and `kind`. */
export interface ListAnswer {
  readonly metadata: { readonly resourceVersion: string; readonly continue?: string }
  readonly items?: readonly Resource[] | null
}

/** The API's answer for an object that is gone. */
export interface StatusAnswer {
  readonly kind: 'Status'
  readonly details?: { readonly uid?: string }
}

/** More than a page of 500 objects of the largest size that etcd stores. */
const maxBodyBytes = 1024 * 1024 * 1024

/** True if an answer is a `Status` and not an object. */
export function isStatus(answer: Resource | StatusAnswer): answer is StatusAnswer {
  return answer.kind === 'Status'
}

/** @throws ResourceExhaustedError above 1 GiB */
export async function readBody(stream: AsyncIterable<Buffer>): Promise<string> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of stream) {
    bytes += chunk.length
    if (bytes > maxBodyBytes) {
      throw new ResourceExhaustedError(`an answer of the Kubernetes API has more than ${maxBodyBytes} bytes`)
    }
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}

/** @throws UnavailableError for what is not JSON, as proxies send it */
export function readAnswer(body: string, server: string): unknown {
  try {
    return JSON.parse(body)
  } catch (error) {
    throw new UnavailableError(
      `${server} answers with something that is not JSON; is it the Kubernetes API?`,
      {
        cause: error,
      },
    )
  }
}
