import { runService } from '@wadi/rpc/run-service.ts'
import { readSettings } from '@wadi/rpc/service-settings.ts'
import { startHydrator } from './hydrator.ts'
import { hydratorSettings } from './settings.ts'

await runService(async (signal) =>
  startHydrator(readSettings(hydratorSettings, { env: process.env, argv: process.argv.slice(2) }), {
    signal,
  }),
)
