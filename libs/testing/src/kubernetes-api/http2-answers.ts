import type { ServerHttp2Stream } from 'node:http2'
import { ApiFailure } from './api-failure.ts'

/** Reads the body of a request; undefined when it is empty. */
export async function readJson(stream: ServerHttp2Stream): Promise<unknown> {
  const chunks: Buffer[] = []
  for await (const chunk of stream) chunks.push(chunk)
  const text = Buffer.concat(chunks).toString('utf8')
  return text === '' ? undefined : JSON.parse(text)
}

export function answerJson(
  stream: ServerHttp2Stream,
  status: number,
  body: unknown,
  headers: Record<string, string> = {},
): void {
  if (stream.destroyed) return
  stream.respond({ ':status': status, 'content-type': 'application/json', ...headers })
  stream.end(JSON.stringify(body))
}

/** Answers with the status of a failure; with 500 for what the stand-in itself does wrong. */
export function answerFailure(stream: ServerHttp2Stream, error: unknown): void {
  if (error instanceof ApiFailure) {
    const { retryAfterSeconds } = error.details
    const headers: Record<string, string> =
      typeof retryAfterSeconds === 'number' ? { 'retry-after': String(retryAfterSeconds) } : {}
    answerJson(stream, error.code, error.status, headers)
  } else {
    answerJson(stream, 500, new ApiFailure(500, 'InternalError', String(error)).status)
  }
}
