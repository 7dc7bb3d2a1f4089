import { setTimeout as pause } from 'node:timers/promises'
import { runService } from './run-service.ts'
import { startTestServer } from './server-fixture.ts'

// Run as a process of its own, so that a test can kill it or send it signals. `fail` as argument makes the start fail.
await runService(async () => {
  if (process.argv[2] === 'fail') throw new Error('port 1 is taken')
  const server = await startTestServer({
    listen: process.argv[3] ?? '127.0.0.1:0',
    rpcs: {
      list: async () => {
        process.stdout.write('called\n')
        await pause(Number(process.argv[2] ?? 0))
        return { statuses: { ended: {} } }
      },
      async *watch() {
        yield { status: 1 }
        await pause(60_000)
      },
    },
  })
  process.stdout.write(`${server.address}\n`)
  return server
})
