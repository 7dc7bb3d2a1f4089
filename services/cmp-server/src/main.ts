import { runService } from '@wadi/rpc/run-service.ts'
import { readSettings } from '@wadi/rpc/service-settings.ts'
import { startCmpServer } from './cmp-server.ts'
import { cmpServerSettings } from './settings.ts'

await runService(async () =>
  startCmpServer(readSettings(cmpServerSettings, { env: process.env, argv: process.argv.slice(2) })),
)
