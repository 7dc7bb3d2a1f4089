import type { Logger } from '@wadi/telemetry/logger.ts'
import { renewKeys } from './key-ring.ts'
import type { SignIn } from './sign-in.ts'

const lookEveryMs = 3_600_000

/** Makes the first key when there is none, and looks every hour whether a new one is due, until disposed. */
export async function rotateKeys({ objects, now }: SignIn, logger: Logger): Promise<Disposable> {
  await renewKeys(objects, now())
  const timer = setInterval(() => {
    renewKeys(objects, now()).catch((error: unknown) => {
      logger.error({ err: error }, 'the session keys cannot be renewed; the old ones stay in use')
    })
  }, lookEveryMs)
  timer.unref()
  return { [Symbol.dispose]: () => clearInterval(timer) }
}
