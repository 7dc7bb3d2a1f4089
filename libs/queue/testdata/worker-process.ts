// A worker of its own process: `worker-process.ts <redis url> <prefix> <directory>`.
// The directory holds a file per key with the number of its last enqueue, and a symbolic link per running key.
// Every run prints one line of JSON when it starts and one when it ends.
import { once } from 'node:events'
import { readFileSync, symlinkSync, unlinkSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { openRedisQueue } from '../src/redis-queue.ts'

const [url = '', prefix = '', directory = ''] = process.argv.slice(2)
const report = (event: object) => process.stdout.write(`${JSON.stringify(event)}\n`)

await using queue = openRedisQueue({ url, prefix, lockDurationMs: 1000 })
await using worker = queue.work(
  async (key) => {
    const link = join(directory, `${key}.running`)
    try {
      symlinkSync(String(process.pid), link)
    } catch {
      report({ event: 'overlap', key })
      return
    }
    const sequence = Number(readFileSync(join(directory, key), 'utf8'))
    report({ event: 'start', key, sequence })
    await pause(20 + Math.random() * 60)
    unlinkSync(link)
    report({ event: 'end', key, sequence })
  },
  { concurrency: 4 },
)
report({ event: 'ready' })
await once(process, 'SIGTERM')
