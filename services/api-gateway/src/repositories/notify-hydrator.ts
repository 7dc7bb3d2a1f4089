import { errorMessage } from '@wadi/errors/domain-error.ts'
import type { GatewayContext } from '../context.ts'

/** Has the hydrator try at once what failed for want of other credentials; a lost hint costs an interval of its polls. */
export async function notifyHydrator({
  hydrator,
  logger,
}: Pick<GatewayContext, 'hydrator' | 'logger'>): Promise<void> {
  try {
    await hydrator.pollNow({})
  } catch (error) {
    logger.debug({ reason: errorMessage(error) }, 'hydrator was not notified of changed credentials')
  }
}
