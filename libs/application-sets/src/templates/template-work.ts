import { ResourceExhaustedError } from '@wadi/errors/domain-error.ts'
import type { TextsRequest } from '@wadi/engines/templates/render-texts.ts'
import type { TemplateWorkers } from '@wadi/engines/templates/template-workers.ts'
import { createKeyedLock } from '@wadi/concurrency/keyed-lock.ts'

/** Processor time that Go templates may take, in milliseconds. */
interface TemplateWorkLimits {
  /** Of one generation, over all of its texts. */
  generation: number
  /** Of one generation, more for each parameter set. */
  parameterSet: number
  /** Of all generations of one account in a minute. */
  account: number
}

/** The limits of the service: a text takes less than a tenth of a millisecond, mostly. */
const templateWorkLimits: TemplateWorkLimits = { generation: 2_000, parameterSet: 2, account: 20_000 }

/** Renders the Go templates of one generation, on threads. */
interface GenerationWork {
  /** Counts a parameter set, for which the generation may take longer. */
  addParameterSet(): void
  /** @throws ResourceExhaustedError when the generation has taken too long; what rendering throws */
  renderTexts(request: TextsRequest, signal: AbortSignal): Promise<string[]>
}

/** Bounds the work of Go templates, by generation and by account. */
export interface TemplateWork {
  /** @throws ResourceExhaustedError when the account has used up the time of its generations */
  requireTime(account: string): void
  begin(account: string): GenerationWork
}

const minuteMs = 60_000

/**
 * Bounds over these threads. The texts of one account are rendered one after the other, so that it keeps one thread busy
 * at most and others find one that is free.
 */
export function createTemplateWork(
  threads: Pick<TemplateWorkers, 'renderTexts'>,
  limits: TemplateWorkLimits = templateWorkLimits,
): TemplateWork {
  const lanes = createKeyedLock()
  const accounts = new Map<string, { left: number; asOf: number }>()
  const timeLeft = (account: string): number => {
    const now = performance.now()
    const known = accounts.get(account)
    if (!known) return limits.account
    const left = known.left + ((now - known.asOf) / minuteMs) * limits.account
    if (left >= limits.account) accounts.delete(account)
    else accounts.set(account, { left, asOf: now })
    return Math.min(left, limits.account)
  }
  return {
    requireTime(account) {
      const left = timeLeft(account)
      if (left > 0) return
      const seconds = Math.ceil((-left / limits.account) * (minuteMs / 1_000)) + 1
      throw new ResourceExhaustedError(
        `the templates of your ApplicationSets took ${limits.account} ms of processor time in a minute, which is the limit; try again in ${seconds} s`,
      )
    },
    begin(account) {
      let allowed = limits.generation
      let used = 0
      const spent = (milliseconds: number): void => {
        used += milliseconds
        accounts.set(account, { left: timeLeft(account) - milliseconds, asOf: performance.now() })
      }
      const requireWork = (): void => {
        if (used <= allowed) return
        throw new ResourceExhaustedError(
          `too much work: the templates of the set took ${allowed} ms of processor time; shorten their loops or make fewer elements`,
        )
      }
      return {
        addParameterSet() {
          allowed += limits.parameterSet
        },
        renderTexts: (request, signal) =>
          lanes.run(account, async () => {
            requireWork()
            const path = request.texts[0]?.path ?? ''
            // Of a busy machine the thread gets a part alone.
            const timeoutMilliseconds = 2 * Math.ceil(allowed - used) + 1_000
            try {
              return await threads.renderTexts(path, request, { signal, spent, timeoutMilliseconds })
            } finally {
              signal.throwIfAborted()
              requireWork()
            }
          }),
      }
    },
  }
}
