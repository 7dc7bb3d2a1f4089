import { DomainError } from '@wadi/errors/domain-error.ts'
import { manifestFromJson } from '@wadi/manifests/manifest-json.ts'
import type { Manifest } from '@wadi/manifests/manifest.ts'
import type { ImportContext } from './import-context.ts'

/** The Applications of an ApplicationSet, as far as git decides them. */
export interface SetApplications {
  readonly applications: readonly Manifest[]
  /** The reason why these are not all; absent if they are. */
  readonly unknown?: string
}

/** Returns the Applications that a set makes as it is; none of one that cannot be generated. */
export async function setApplications(
  set: Manifest,
  { sets, side }: Pick<ImportContext, 'sets' | 'side'>,
): Promise<SetApplications> {
  try {
    const { applications, undecided } = await sets.expand(set, side)
    return {
      applications: applications.map((application) => manifestFromJson(JSON.stringify(application))),
      ...notAll(applications.length, undecided),
    }
  } catch (error) {
    if (!(error instanceof DomainError) || error.name === 'CanceledError') throw error
    return { applications: [], unknown: error.message }
  }
}

/** Returns the reason why so many Applications are not all of a set. */
export function notAll(count: number, undecided: readonly string[]): { unknown?: string } {
  if (undecided.length > 0) return { unknown: `git does not decide what ${undecided.join(' and ')} makes` }
  return count === 0 ? { unknown: 'it makes no Application' } : {}
}
