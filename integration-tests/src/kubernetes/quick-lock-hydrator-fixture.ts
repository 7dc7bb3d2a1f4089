// A hydrator whose jobs go to another one seconds after it is killed.
import { startHydrator } from '@wadi/hydrator/hydrator.ts'
import { hydratorSettings } from '@wadi/hydrator/settings.ts'
import { runService } from '@wadi/rpc/run-service.ts'
import { readSettings } from '@wadi/rpc/service-settings.ts'

const lockDurationMs = Number(process.env['TEST_LOCK_MS'])

await runService(async (signal) =>
  startHydrator(readSettings(hydratorSettings, { env: process.env, argv: [] }), { signal, lockDurationMs }),
)
