import { runService } from '@wadi/rpc/run-service.ts'
import { readSettings } from '@wadi/rpc/service-settings.ts'
import { startCommitServer } from './commit-server.ts'
import { commitServerSettings } from './settings.ts'

await runService(async (signal) =>
  startCommitServer(
    readSettings(commitServerSettings, { env: process.env, argv: process.argv.slice(2) }),
    signal,
  ),
)
