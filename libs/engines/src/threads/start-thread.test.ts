import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdtempDisposable, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'

const memoryScript = join(import.meta.dirname, '../../../../mesh/memory.sh')

/** Keeps enough objects for a while that V8 makes room for new ones, and says how much. */
const thread = `
import { getHeapSpaceStatistics } from 'node:v8'
import { parentPort } from 'node:worker_threads'
let [kept, most] = [[], 0]
for (let n = 0; n < 2_000_000; n++) {
  kept = n % 100_000 === 0 ? [] : kept
  kept.push({ n })
  if (n % 10_000 !== 0) continue
  const { space_size } = getHeapSpaceStatistics().find(({ space_name }) => space_name === 'new_space')
  most = Math.max(most, space_size)
}
parentPort.postMessage(most)
`

const program = `
import { startThread } from ${JSON.stringify(import.meta.resolve('./start-thread.ts'))}
const thread = startThread({ script: new URL('thread.mjs', import.meta.url) })
thread.on('message', (bytes) => process.stdout.write(String(bytes)))
`

test('a thread has little room for new objects, also where that of the process is set', async () => {
  await using directory = await mkdtempDisposable(join(tmpdir(), 'wadi-thread-'))
  const script = join(directory.path, 'program.mjs')
  await writeFile(script, program)
  await writeFile(join(directory.path, 'thread.mjs'), thread)
  const commandLine = ['-c', '. "$0" && exec "$@"', memoryScript, process.execPath, script]
  const bytes = Number(execFileSync('/bin/sh', commandLine, { encoding: 'utf8' }))
  assert.ok(bytes > 0 && bytes <= 2 * 1024 ** 2, `${bytes} bytes`)
})
