import type { RunPlaces } from '../lanes/run-places.ts'

/** Of a run that renders, the time around the render is for the next one's. */
const runsForEachRender = 2

/**
 * Returns how many branches a hydrator takes beside others: twice as many as it renders at a time, so that the rest is left to others; and
 * while it runs branches of which none is rendered or waits for that, twice as many each time one ends, since those are done best together.
 */
export function shareOfRuns(
  rendering: Pick<RunPlaces, 'taken' | 'waiting'>,
  { renders, most }: { renders: number; most: number },
): (running: number) => number {
  const least = Math.min(runsForEachRender * renders, most)
  let share = least
  let { taken } = rendering
  return (running) => {
    const isWithoutRender = rendering.taken === taken && rendering.waiting === 0
    share = running > 0 && isWithoutRender ? Math.min(2 * share, most) : least
    taken = rendering.taken
    return share
  }
}
