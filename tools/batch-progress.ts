import { appendFileSync, readFileSync } from 'node:fs'
import type { ProcessorTime } from './processor-time.ts'

/** The progress of a batch. A process that is killed reports nothing any more, so it writes this down file by file. */
interface BatchProgress {
  /** The test file that it ran last; undefined before the first. */
  readonly running: string | undefined
  /** The time that each file that ended took. */
  readonly times: ReadonlyMap<string, ProcessorTime>
}

/** The file in which a batch says how far it has come, by the batch's entry file. */
export function progressOf(entry: string): string {
  return `${entry}.progress`
}

/** Adds that a test file begins. */
export function writeBegin(progress: string, file: string): void {
  appendFileSync(progress, file)
}

/** Adds that the test file ended that began last. */
export function writeEnd(progress: string, time: ProcessorTime): void {
  appendFileSync(progress, `\t${time.user}\t${time.system}\n`)
}

/** Reads what `writeBegin` and `writeEnd` wrote about a batch; nothing where it did not begin. */
export function readProgress(entry: string): BatchProgress {
  const lines = textOf(progressOf(entry))
    .split('\n')
    .filter(Boolean)
    .map((line) => line.split('\t'))
  const times = lines.flatMap(([file = '', user, system]) =>
    system === undefined ? [] : [[file, { user: Number(user), system: Number(system) }] as const],
  )
  return { running: lines.at(-1)?.[0], times: new Map(times) }
}

function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return ''
  }
}
