import type { HydrationBed } from '../hydration-bed.ts'
import { atMost, type Cost, costText, type Measurement, median } from '../measurement.ts'
import type { CountedRenderers } from '../renderer-counter.ts'
import { hydrateChangeOf } from './change-hydration.ts'
import { applicationAt, changeApplication, propose, push } from './proposed-change.ts'

/** The comment and status on a proposed change of one application. */
interface Answer {
  /** `diff` or `review`. */
  readonly name: string
  /** For the row of the renderers: `comparisons`. */
  readonly plural: string
  /** At most so many times the hydration without its push. */
  readonly bar: number
  readonly of: (branch: string) => Promise<Cost>
}

/** The first of the applications that are changed, one in each round. */
const first = 500

/** Versions that are hydrated are others than those that are proposed, which are rendered already. */
const hydratedVersion = 10_000

/** A source is rendered twice when it is first seen. */
const maxStarts = 2

/** Compares answers about proposed changes with the hydration of changes of the same applications without their push; in turns, the first of which warms up. */
export async function measureProposals(
  bed: HydrationBed,
  renderers: CountedRenderers,
  rounds: number,
  answer: Answer,
): Promise<Measurement[]> {
  const costs = { answered: [] as Cost[], hydrated: [] as Cost[], pushed: [] as Cost[] }
  let starts = 0
  for (let n = 0; n <= rounds; n++) {
    const branch = await propose(bed, `${answer.name}-${n}`, () => changeApplication(bed, first + n))
    const before = await renderers.starts()
    const answered = await answer.of(branch)
    const started = (await renderers.starts()) - before
    const pushed = await push(bed, branch)
    const hydrated = await hydrateChangeOf(bed, applicationAt(bed, first + n), hydratedVersion + n)
    if (n === 0) continue
    starts = Math.max(starts, started)
    costs.answered.push(answered)
    costs.hydrated.push(hydrated)
    costs.pushed.push(pushed)
  }
  const [answered, hydrated, pushed] = [median(costs.answered), median(costs.hydrated), median(costs.pushed)]
  const name = `${answer.name}, one of ${bed.dry.applications.length} applications`
  const basis = `${costText(answered)}; hydration: ${costText(hydrated)}, git push: ${costText(pushed)}`
  const ratio = answered.wall / (hydrated.wall - pushed.wall)
  return [
    atMost(name, ratio, '× hydration without push', answer.bar, basis),
    atMost(
      `${name}, renderers started`,
      starts,
      'processes',
      maxStarts,
      `at most, in ${rounds} ${answer.plural}`,
    ),
  ]
}
