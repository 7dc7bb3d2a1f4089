import { startCommitServer } from '@wadi/commit-server/commit-server.ts'
import { commitServerSettings } from '@wadi/commit-server/settings.ts'
import { runService } from '@wadi/rpc/run-service.ts'
import { readSettings } from '@wadi/rpc/service-settings.ts'
import { endWithParent } from './child-program.ts'

// A commit-server as a process of its own, so that its cpu time is measured apart from that of the benchmark.
endWithParent()
await runService(async () => {
  const server = await startCommitServer(readSettings(commitServerSettings, { env: process.env, argv: [] }))
  process.stdout.write(`${server.address}\n`)
  return server
})
