/** The size of a measure. */
export interface Effort {
  /** @param standard the number of applications with which the measure's bar means something */
  applications(standard: number): number
  /** @param standard the number of rounds whose median can be trusted; at least 1 */
  rounds(standard: number): number
}

const smallestApplications = 20

/** Returns the standard size of each measure, except for the number of applications if one is given. */
export function standardEffort(applications: number | undefined): Effort {
  return { applications: (standard) => applications ?? standard, rounds: (standard) => standard }
}

/** The least with which every measure still runs all of its code; its results are not meaningful. */
export const smallestEffort: Effort = {
  applications: (standard) => Math.min(standard, smallestApplications),
  rounds: () => 1,
}
