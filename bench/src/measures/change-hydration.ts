import type { HydrationBed } from '../hydration-bed.ts'
import type { Cost } from '../measurement.ts'
import { changeOneApplication, changeReadmeOnly } from '../monorepo/change-monorepo.ts'

/** Spreads the numbers evenly over the applications, and equally in repositories of any size. */
const goldenRatio = 0.618_033_988_75

/** Changes one application and waits for the hydrated push of its branch; each kind of application gets its turn. */
export async function hydrateOneChange(bed: HydrationBed, n: number): Promise<Cost> {
  const { dry, branches } = bed
  const application = dry.applications[Math.floor(((n * goldenRatio) % 1) * dry.applications.length)]
  if (application === undefined) throw new Error('there are no applications')
  const before = branches.heads().get(application.branch)
  return bed.hydrate(
    async () => {
      const file = await changeOneApplication(dry.workTree, application, n)
      return dry.push(`Release ${application.name}`, file)
    },
    () => branches.moved(application.branch, before),
  )
}

/** Changes the README alone and waits until the notes of all branches name the new dry commit. */
export async function hydrateNoChange(bed: HydrationBed, n: number): Promise<Cost> {
  const { dry, branches } = bed
  return bed.hydrate(
    async () => dry.push(`Edition ${n}`, await changeReadmeOnly(dry.workTree, n)),
    (drySha) => branches.noted(drySha),
  )
}
