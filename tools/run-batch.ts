import { readFileSync } from 'node:fs'
import { enableCompileCache, flushCompileCache } from 'node:module'
import path from 'node:path'
import { describe } from 'node:test'
import { runUntilProcessEnd } from '@wadi/testing/process-end.ts'
import { writeBegin, writeEnd } from './batch-progress.ts'
import { timeSince, treeTime } from './processor-time.ts'
import { readBatch } from './test-batches.ts'

// Runs the test files of a batch one after the other in this process: each is a suite of its own that ends, with its
// hooks, before the next one is loaded. A file that cannot be loaded fails its suite.

/** Time limit of the tests of a file. */
const maxFileMs = 1_800_000

/** Time limit of the process after its last test. */
const maxRestMs = 20_000

const { root, files, progress } = readBatch(readFileSync(`${process.argv[1]}.json`, 'utf8'))
// Not by NODE_COMPILE_CACHE, which programs that tests start would inherit.
enableCompileCache(path.join(root, '.cache/compile'))
// Node ends the run when its loop is empty, which it also is for a moment between two files.
const alive = setInterval(() => undefined, 1_000)
await runUntilProcessEnd(async () => {
  let before = { user: 0, system: 0 }
  for (const file of files) {
    writeBegin(progress, file)
    await describe(file, { timeout: maxFileMs }, async () => {
      await import(path.join(root, file))
    })
    // Programs that later files start, and the other batches, find the code compiled.
    flushCompileCache()
    const now = treeTime(process.pid) ?? before
    writeEnd(progress, timeSince(before, now))
    before = now
  }
})
clearInterval(alive)
// Fires only while something that a test did not close keeps the process alive.
setTimeout(() => {
  console.error(`open after the last test: ${process.getActiveResourcesInfo().join(', ')}`)
  process.exit(1)
}, maxRestMs).unref()
