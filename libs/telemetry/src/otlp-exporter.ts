import { InvalidInputError, UnavailableError } from '@wadi/errors/domain-error.ts'
import { exportRequest } from './otlp-json.ts'
import type { EndedSpan, SpanAttributes, SpanSink } from './span.ts'

/** The destination of a service's spans. */
export interface OtlpOptions {
  /** Base URL of a receiver of OTLP over HTTP, as `OTEL_EXPORTER_OTLP_ENDPOINT` has it. */
  readonly endpoint: string
  /** `name=value,…` with values in percent-encoding, as `OTEL_EXPORTER_OTLP_HEADERS` has it; secret. */
  readonly headers: string
  /** `name=value,…` with values in percent-encoding, as `OTEL_RESOURCE_ATTRIBUTES` has it. */
  readonly resourceAttributes: string
  /** Name of the service. */
  readonly service: string
  /** Receives the error of each batch that was lost. */
  readonly onError: (error: Error) => void
}

// The defaults of https://opentelemetry.io/docs/specs/otel/configuration/sdk-environment-variables/.
const delayMs = 5_000
const timeoutMs = 10_000
const maxQueuedSpans = 2_048
const maxBatchSpans = 512

/**
 * Sends the spans of a service to a receiver of OTLP over HTTP in JSON, in batches, one at a time. Spans that come faster
 * than the receiver takes them are dropped and counted in the next error. Disposal sends what is left.
 */
export class OtlpExporter implements SpanSink, AsyncDisposable {
  readonly #url: string
  readonly #headers: Readonly<Record<string, string>>
  readonly #resource: SpanAttributes
  readonly #onError: (error: Error) => void
  #queued: EndedSpan[] = []
  #dropped = 0
  #timer: NodeJS.Timeout | undefined
  #sending: Promise<void> | undefined

  /** @throws InvalidInputError for an endpoint, headers or attributes that cannot be read */
  constructor(options: OtlpOptions) {
    this.#url = tracesUrl(options.endpoint)
    this.#headers = keyValueList(options.headers, 'OTEL_EXPORTER_OTLP_HEADERS')
    this.#resource = {
      ...keyValueList(options.resourceAttributes, 'OTEL_RESOURCE_ATTRIBUTES'),
      'service.namespace': 'wadi',
      'service.name': options.service,
      'service.instance.id': crypto.randomUUID(),
    }
    this.#onError = options.onError
  }

  add(span: EndedSpan): void {
    if (this.#queued.length >= maxQueuedSpans) {
      this.#dropped++
      return
    }
    this.#queued.push(span)
    if (this.#queued.length >= maxBatchSpans) this.#sendSoon(0)
    else this.#sendSoon(delayMs)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    clearTimeout(this.#timer)
    await this.#sending
    // A receiver that is away must not hold the end of the service up.
    while (this.#queued.length > 0 && (await this.#sendBatch())) continue
  }

  #sendSoon(milliseconds: number): void {
    if (this.#sending !== undefined) return
    if (this.#timer !== undefined && milliseconds > 0) return
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => {
      this.#timer = undefined
      this.#sending = this.#sendBatch().then(() => {
        this.#sending = undefined
        if (this.#queued.length > 0) this.#sendSoon(this.#queued.length >= maxBatchSpans ? 0 : delayMs)
      })
    }, milliseconds).unref()
  }

  /** Returns whether the receiver took the batch; one that it did not take is reported and lost. */
  async #sendBatch(): Promise<boolean> {
    const spans = this.#queued.slice(0, maxBatchSpans)
    this.#queued = this.#queued.slice(maxBatchSpans)
    const dropped = this.#dropped
    this.#dropped = 0
    try {
      const response = await fetch(this.#url, {
        method: 'POST',
        headers: { ...this.#headers, 'content-type': 'application/json' },
        body: JSON.stringify(exportRequest(this.#resource, spans)),
        redirect: 'error',
        signal: AbortSignal.timeout(timeoutMs),
      })
      await response.body?.cancel()
      if (!response.ok) throw new Error(`the receiver of traces answered with status ${response.status}`)
    } catch (cause) {
      this.#onError(new UnavailableError(`${spans.length + dropped} spans are lost`, { cause }))
      return false
    }
    if (dropped > 0)
      this.#onError(new UnavailableError(`${dropped} spans are lost: the receiver is too slow`))
    return true
  }
}

function tracesUrl(endpoint: string): string {
  const url = URL.parse(endpoint)
  if (!url || !['http:', 'https:'].includes(url.protocol) || url.username !== '' || url.password !== '') {
    throw new InvalidInputError(
      'OTEL_EXPORTER_OTLP_ENDPOINT must be http://host:port or https://host:port without a user; credentials go into OTEL_EXPORTER_OTLP_HEADERS',
    )
  }
  // https://opentelemetry.io/docs/specs/otlp/#otlphttp-request
  url.pathname = `${url.pathname.replace(/\/+$/, '')}/v1/traces`
  return url.href
}

/** Reads `name=value,…`; the text is never repeated, as it may be secret. */
function keyValueList(text: string, variable: string): Record<string, string> {
  const entries = text
    .split(',')
    .filter((entry) => entry.trim() !== '')
    .map((entry): [string, string] => {
      const [, name, value] = /^\s*([^\s=]+)\s*=\s*(.*?)\s*$/.exec(entry) ?? []
      try {
        if (name !== undefined && value !== undefined) return [name, decodeURIComponent(value)]
      } catch {
        // What cannot be decoded is reported as what has no name.
      }
      throw new InvalidInputError(`${variable} must be name=value,… with values in percent-encoding`)
    })
  return Object.fromEntries(entries)
}
