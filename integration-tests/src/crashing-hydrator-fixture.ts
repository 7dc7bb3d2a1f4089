// A hydrator that ends itself with SIGKILL at the moment that the file TEST_CRASH_FILE names; the file goes with it.
import { readFileSync, rmSync } from 'node:fs'
import { startHydrator } from '@wadi/hydrator/hydrator.ts'
import { hydratorSettings } from '@wadi/hydrator/settings.ts'
import { runService } from '@wadi/rpc/run-service.ts'
import { readSettings } from '@wadi/rpc/service-settings.ts'

const crashFile = process.env['TEST_CRASH_FILE'] ?? ''

await runService(async () =>
  startHydrator(readSettings(hydratorSettings, { env: process.env, argv: [] }), {
    events: (recorded) => ({
      ...recorded,
      step(name, run) {
        recorded.step(name, run)
        endAt(name)
      },
      committed(run, group, answer) {
        recorded.committed(run, group, answer)
        endAt('committed')
      },
      finished(run, milliseconds) {
        endAt('finished')
        recorded.finished(run, milliseconds)
      },
    }),
  }),
)

function endAt(moment: string): void {
  if (crashMoment() !== moment) return
  rmSync(crashFile)
  process.kill(process.pid, 'SIGKILL')
}

function crashMoment(): string {
  try {
    return readFileSync(crashFile, 'utf8')
  } catch {
    return ''
  }
}
