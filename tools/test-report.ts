import type { EventData } from 'node:test'
import type { TestEvent } from 'node:test/reporters'
import { readProgress } from './batch-progress.ts'
import type { ProcessorTime } from './processor-time.ts'
import type { TestBatch } from './test-batches.ts'

/** The number of files named among those that take longest. */
const maxNamed = 10

/**
 * The events of all batches, by the entry file of each, with what the batches add to them before the closing lines: the files that take
 * longest, and an error for each file that a process did not run to its end. A process that ends early is named by the file that it ran.
 *
 * @param onFailed called for each file with a failed test and each that was not run to its end; when a process fails for no file's
 * reason, for each of its files
 */
export async function* reportBatches(
  events: AsyncIterable<TestEvent>,
  batches: ReadonlyMap<string, TestBatch>,
  onFailed: (file: string) => void,
): AsyncGenerator<TestEvent> {
  const seconds = new Map<string, number>()
  const failed = new Set<string>()
  let closing = false
  for await (const event of events) {
    const { type, data } = event
    if ((type === 'test:pass' || type === 'test:fail') && data.nesting === 0 && !batches.has(data.name)) {
      seconds.set(data.name, data.details.duration_ms / 1000)
    }
    if (type === 'test:fail' && data.nesting === 0) failed.add(data.name)
    if (type === 'test:diagnostic' && data.nesting === 0 && /^tests \d+$/.test(data.message) && !closing) {
      closing = true
      for (const [entry, batch] of batches) {
        const lost = batch.files.filter((file) => !seconds.has(file))
        if (lost.length > 0) yield diagnostic(lossOf(entry, batch, lost), 'error')
        const own = batch.files.filter((file) => failed.has(file) || lost.includes(file))
        for (const file of own.length === 0 && failed.has(entry) ? batch.files : own) onFailed(file)
      }
      for (const message of longestFiles(seconds, timesOf([...batches.keys()])))
        yield diagnostic(message, 'info')
    }
    yield namedByFile(event, batches)
  }
}

function diagnostic(message: string, level: 'info' | 'error'): TestEvent {
  const data: EventData.TestDiagnostic = { nesting: 0, message, level }
  return { type: 'test:diagnostic', data }
}

function lossOf(entry: string, { name }: TestBatch, lost: readonly string[]): string {
  const running = readProgress(entry).running
  const others = lost.filter((file) => file !== running)
  const rest = others.length === 0 ? '' : `; without a result: ${others.join(', ')}`
  return `the process of ${name} ended while it ran ${running ?? 'no file yet'}${rest}`
}

function timesOf(entries: readonly string[]): Map<string, ProcessorTime> {
  return new Map(entries.flatMap((entry) => [...readProgress(entry).times]))
}

/** Seconds on the clock say where the run waits, those of the processor what makes it long on a busy machine. */
function longestFiles(
  seconds: ReadonlyMap<string, number>,
  times: ReadonlyMap<string, ProcessorTime>,
): string[] {
  const all = [...times].map(([file, time]) => ({ file, time, sum: time.user + time.system }))
  const busiest = all.toSorted((one, other) => other.sum - one.sum).slice(0, maxNamed)
  const slowest = [...seconds].toSorted(([, one], [, other]) => other - one).slice(0, maxNamed)
  const total = all.reduce((before, { sum }) => before + sum, 0)
  return [
    ...slowest.map(([file, time]) => `slow: ${inSeconds(time)}  ${file}`),
    ...busiest.map(
      ({ file, time, sum }) =>
        `busy: ${inSeconds(sum)} of processors, ${inSeconds(time.system).trim()} in the kernel  ${file}`,
    ),
    ...(all.length === 0 ? [] : [`all files: ${inSeconds(total).trim()} of processors`]),
  ]
}

function inSeconds(time: number): string {
  return `${time.toFixed(1).padStart(6)} s`
}

/** A process that ends early is reported under its entry file, which says nothing to anybody. */
function namedByFile(event: TestEvent, batches: ReadonlyMap<string, TestBatch>): TestEvent {
  const { type, data } = event
  if (type !== 'test:start' && type !== 'test:fail' && type !== 'test:pass') return event
  const batch = batches.get(data.name)
  if (batch === undefined) return event
  const name = readProgress(data.name).running ?? `the process of ${batch.name}`
  return { type, data: { ...data, name } } as TestEvent
}
