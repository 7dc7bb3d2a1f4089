import { readFileSync } from 'node:fs'
import type { EventData } from 'node:test'
import type { TestEvent } from 'node:test/reporters'
import type { TestBatch } from './test-batches.ts'

/** How many of the slowest files are named. */
const maxSlowest = 10

/** The file in which a batch says which test file it runs, by the batch's entry file. */
export function progressOf(entry: string): string {
  return `${entry}.running`
}

/**
 * The events of all batches, by the entry file of each, with what the batches add to them before the closing lines: the slowest
 * files, and an error for each file that a process did not run to its end. A process that ends early is named by the file that it ran.
 *
 * @param onLost called when a file was not run to its end
 */
export async function* reportBatches(
  events: AsyncIterable<TestEvent>,
  batches: ReadonlyMap<string, TestBatch>,
  onLost: () => void,
): AsyncGenerator<TestEvent> {
  const seconds = new Map<string, number>()
  let closing = false
  for await (const event of events) {
    const { type, data } = event
    if ((type === 'test:pass' || type === 'test:fail') && data.nesting === 0 && !batches.has(data.name)) {
      seconds.set(data.name, data.details.duration_ms / 1000)
    }
    if (type === 'test:diagnostic' && data.nesting === 0 && /^tests \d+$/.test(data.message) && !closing) {
      closing = true
      const lost = [...batches].flatMap(([entry, batch]) => lostFiles(entry, batch, seconds))
      if (lost.length > 0) onLost()
      for (const message of lost) yield diagnostic(message, 'error')
      for (const message of slowestFiles(seconds)) yield diagnostic(message, 'info')
    }
    yield namedByFile(event, batches)
  }
}

function diagnostic(message: string, level: 'info' | 'error'): TestEvent {
  const data: EventData.TestDiagnostic = { nesting: 0, message, level }
  return { type: 'test:diagnostic', data }
}

function lostFiles(entry: string, { name, files }: TestBatch, ended: ReadonlyMap<string, number>): string[] {
  const lost = files.filter((file) => !ended.has(file))
  if (lost.length === 0) return []
  const running = runningFile(entry)
  const others = lost.filter((file) => file !== running)
  const rest = others.length === 0 ? '' : `; without a result: ${others.join(', ')}`
  return [`the process of ${name} ended while it ran ${running ?? 'no file yet'}${rest}`]
}

function runningFile(entry: string): string | undefined {
  try {
    return readFileSync(progressOf(entry), 'utf8')
  } catch {
    return undefined
  }
}

function slowestFiles(seconds: ReadonlyMap<string, number>): string[] {
  const slowest = [...seconds].toSorted(([, one], [, other]) => other - one).slice(0, maxSlowest)
  return slowest.map(([file, time]) => `slow: ${time.toFixed(1).padStart(6)} s  ${file}`)
}

/** A process that ends early is reported under its entry file, which says nothing to anybody. */
function namedByFile(event: TestEvent, batches: ReadonlyMap<string, TestBatch>): TestEvent {
  const { type, data } = event
  if (type !== 'test:start' && type !== 'test:fail' && type !== 'test:pass') return event
  const batch = batches.get(data.name)
  if (batch === undefined) return event
  const name = runningFile(data.name) ?? `the process of ${batch.name}`
  return { type, data: { ...data, name } } as TestEvent
}
