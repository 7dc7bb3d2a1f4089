import { startCmpServer } from '@wadi/cmp-server/cmp-server.ts'
import { cmpServerSettings } from '@wadi/cmp-server/settings.ts'
import { runService } from '@wadi/rpc/run-service.ts'
import { readSettings } from '@wadi/rpc/service-settings.ts'
import { endWithParent } from './child-program.ts'

// A cmp-server as a process of its own, as it is beside a repo-server.
endWithParent()
await runService(async () => {
  const server = await startCmpServer(readSettings(cmpServerSettings, { env: process.env, argv: [] }))
  process.stdout.write(`${server.address}\n`)
  return server
})
