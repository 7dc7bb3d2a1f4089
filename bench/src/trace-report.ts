import { type ReceivedSpan, startOtlpReceiver } from '@wadi/testing/otlp-receiver.ts'

/** Records the traces of the programs that measures start from now on. */
export interface TraceReport extends AsyncDisposable {
  /** Returns what the time since the last report was made of, and forgets it. */
  take(): string
}

const maxRows = 40

/** Starts a receiver and has all programs that begin from now on send their traces to it. */
export async function openTraceReport(): Promise<TraceReport> {
  const receiver = await startOtlpReceiver()
  const variable = 'OTEL_EXPORTER_OTLP_ENDPOINT'
  const before = process.env[variable]
  process.env[variable] = receiver.url
  return {
    take: () => {
      const spans = receiver.spans.splice(0)
      receiver.requests.length = 0
      return traceText(spans)
    },
    async [Symbol.asyncDispose]() {
      if (before === undefined) delete process.env[variable]
      else process.env[variable] = before
      await receiver[Symbol.asyncDispose]()
    },
  }
}

/**
 * Returns a summary of spans, and those of the last run of a branch that committed alone.
 * @internal
 */
export function traceText(spans: readonly ReceivedSpan[]): string {
  const last = spans.findLast(({ name, service }) => name === 'commit' && service === 'hydrator')
  const run = spans.filter(({ traceId }) => traceId === last?.traceId)
  return [
    summary('all traces', spans),
    ...(run.length > 0 ? [summary('the last run of a branch that committed', run)] : []),
  ].join('\n')
}

function summary(title: string, spans: readonly ReceivedSpan[]): string {
  const groups = Map.groupBy(spans, ({ service, name }) => `${service}\t${name}`)
  const rows = [...groups]
    .map(([key, group]) => ({ key, count: group.length, total: sum(group), longest: longestOf(group) }))
    .toSorted((a, b) => b.total - a.total)
  const lines = rows.slice(0, maxRows).map(({ key, count, total, longest }) => {
    const [service = '', name = ''] = key.split('\t')
    const numbers = [String(count).padStart(7), milliseconds(total), milliseconds(longest)].join(' ')
    return `${numbers}  ${service.padEnd(14)} ${name}`
  })
  const programs = spans.filter(({ attributes }) => attributes['process.executable.name'] !== undefined)
  const calls = spans.filter(({ kind, attributes }) => kind === 3 && attributes['rpc.method'] !== undefined)
  const remotes = spans.filter(({ name }) => name.startsWith('remote '))
  return [
    `${title}: ${programs.length} programs, ${calls.length} calls between services, ${remotes.length} requests to remotes`,
    '  COUNT    TOTAL ms  LONGEST ms  SERVICE        SPAN',
    ...lines,
    ...(rows.length > maxRows ? [`        and ${rows.length - maxRows} more`] : []),
  ].join('\n')
}

function sum(spans: readonly ReceivedSpan[]): number {
  return spans.reduce((total, span) => total + span.milliseconds, 0)
}

function longestOf(spans: readonly ReceivedSpan[]): number {
  return spans.reduce((longest, span) => Math.max(longest, span.milliseconds), 0)
}

function milliseconds(value: number): string {
  return value.toFixed(1).padStart(11)
}
