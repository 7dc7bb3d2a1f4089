import type { HydrationBed } from '../hydration-bed.ts'
import type { Cost } from '../measurement.ts'
import { changeInHouseChart, changeOneApplication, changeReadmeOnly } from '../monorepo/change-monorepo.ts'
import type { MonorepoApplication } from '../monorepo/monorepo-application.ts'

/** Spreads the numbers evenly over the applications, and equally in repositories of any size. */
const goldenRatio = 0.618_033_988_75

/** Changes one application and waits for the hydrated push of its branch; each kind of application gets its turn. */
export async function hydrateOneChange(bed: HydrationBed, n: number): Promise<Cost> {
  return hydrateChangeOf(bed, changedBy(bed, n), n)
}

/** Sets the version of an application to one made from `n` and waits for the hydrated push of its branch. */
export async function hydrateChangeOf(
  bed: HydrationBed,
  application: MonorepoApplication,
  n: number,
): Promise<Cost> {
  const { branch } = application
  const before = bed.branches.heads().get(branch)
  return bed.hydrate(
    () => pushChangeOf(bed, application, n),
    () => bed.branches.moved(branch, before),
  )
}

/** Changes one application as `hydrateOneChange` does, waits until the notes of all branches name the new dry commit and calls `done`. */
export async function hydrateOneChangeEverywhere(
  bed: HydrationBed,
  n: number,
  done: () => void,
): Promise<Cost> {
  return bed.hydrate(
    () => pushChangeOf(bed, changedBy(bed, n), n),
    async (drySha) => {
      await bed.branches.noted(drySha)
      done()
    },
  )
}

/** Pushes such a change without a word to the mesh, and returns its commit. */
export async function pushChangeOf(
  bed: HydrationBed,
  application: MonorepoApplication,
  n: number,
): Promise<string> {
  const file = await changeOneApplication(bed.dry.workTree, application, n)
  return bed.dry.push(`Release ${application.name}`, file)
}

/** The application that the n-th change is one of. */
export function changedBy({ dry: { applications } }: HydrationBed, n: number): MonorepoApplication {
  const application = applications[Math.floor(((n * goldenRatio) % 1) * applications.length)]
  if (application === undefined) throw new Error('there are no applications')
  return application
}

/** Changes the in-house chart and waits until the notes of all branches name the new dry commit. */
export async function hydrateChartChange(bed: HydrationBed, n: number): Promise<Cost> {
  const { dry, branches } = bed
  return bed.hydrate(
    async () => dry.push(`Chart ${n}`, await changeInHouseChart(dry.workTree, n)),
    (drySha) => branches.noted(drySha),
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
