import { runService } from '@wadi/rpc/run-service.ts'
import { readSettings } from '@wadi/rpc/service-settings.ts'
import { startRepoServer } from './repo-server.ts'
import { repoServerSettings } from './settings.ts'

await runService(async (signal) =>
  startRepoServer(readSettings(repoServerSettings, { env: process.env, argv: process.argv.slice(2) }), {
    signal,
  }),
)
