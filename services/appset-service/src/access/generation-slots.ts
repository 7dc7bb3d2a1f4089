import { ResourceExhaustedError } from '@wadi/errors/domain-error.ts'
import type { Subject } from '@wadi/rbac/decide/claims.ts'
import type { TemplateWork } from '@wadi/application-sets/templates/template-work.ts'

/** Bounds what one user has generated at the same time. */
export interface GenerationSlots {
  /** @throws ResourceExhaustedError when the user has as many generations under way as one may have, or no time for one */
  run<Result>(subject: Subject, generate: () => Promise<Result>): Promise<Result>
}

/** Slots of which each user has `limit`, as long as there is time for the user's templates. */
export function createGenerationSlots(
  limit: number,
  { requireTime }: Pick<TemplateWork, 'requireTime'>,
): GenerationSlots {
  const used = new Map<string, number>()
  return {
    async run({ sub }, generate) {
      const others = used.get(sub) ?? 0
      if (others >= limit) {
        throw new ResourceExhaustedError(
          `${limit} ApplicationSets of yours are being generated at this time; wait until one is done`,
        )
      }
      requireTime(sub)
      used.set(sub, others + 1)
      try {
        return await generate()
      } finally {
        const left = (used.get(sub) ?? 1) - 1
        if (left === 0) used.delete(sub)
        else used.set(sub, left)
      }
    },
  }
}
