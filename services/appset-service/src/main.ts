import { runService } from '@wadi/rpc/run-service.ts'
import { readSettings } from '@wadi/rpc/service-settings.ts'
import { startAppsetService } from './appset-service.ts'
import { appsetServiceSettings } from './settings.ts'

await runService(async (signal) =>
  startAppsetService(
    readSettings(appsetServiceSettings, { env: process.env, argv: process.argv.slice(2) }),
    signal,
  ),
)
