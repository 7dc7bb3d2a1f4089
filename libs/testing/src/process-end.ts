import { after } from 'node:test'

const atBatchEnd: (() => Promise<void>)[] = []
let isBatch = false

/**
 * Does something when every test of the process has ended. A fixture needs it for what it opens once: test files that share a
 * process share its modules too, and a hook of `node:test` would end with the first of them.
 */
export function afterAllTests(work: () => Promise<void>): void {
  if (isBatch) atBatchEnd.push(work)
  else after(work)
}

/** Runs several test files in this process, then what their fixtures left to its end, the newest first. */
export async function runUntilProcessEnd(testFiles: () => Promise<void>): Promise<void> {
  isBatch = true
  await testFiles()
  for (const work of atBatchEnd.toReversed()) await work()
}
