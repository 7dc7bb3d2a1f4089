import { once } from 'node:events'
import { Session } from 'node:inspector/promises'
import type { Profiler } from 'node:inspector'
import type { ChildProcess } from 'node:child_process'

const samplingMicroseconds = 200

/** The work of a program's main thread, as V8 samples it. */
export type MainThreadProfile = Profiler.Profile

/** Lets the program that started this one profile its main thread. */
export function offerProfile(): void {
  const session = new Session()
  session.connect()
  const answers: Record<string, () => Promise<unknown>> = {
    begin: async () => {
      await session.post('Profiler.enable')
      await session.post('Profiler.setSamplingInterval', { interval: samplingMicroseconds })
      await session.post('Profiler.start')
    },
    end: async () => (await session.post('Profiler.stop')).profile,
  }
  process.on('message', async (word: string) => process.send?.({ answer: await answers[word]?.() }))
  // To be asked is no reason to go on.
  process.channel?.unref()
}

/** Profiles the main thread of a program that offers it, from now on; the returned function ends that. */
export async function beginProfile(child: ChildProcess): Promise<() => Promise<MainThreadProfile>> {
  await ask(child, 'begin')
  return async () => (await ask(child, 'end')) as MainThreadProfile
}

async function ask(child: ChildProcess, word: string): Promise<unknown> {
  const answered = once(child, 'message')
  child.send(word)
  const [{ answer }] = (await answered) as [{ answer: unknown }]
  return answer
}

/**
 * The share of the time in which a main thread worked that it spent in the modules of some places, and in what these called.
 * @param isPlace tells by the URL of a module
 */
export function shareOf(profiles: readonly MainThreadProfile[], isPlace: (url: string) => boolean): number {
  const times = profiles.map((profile) => timesOf(profile, isPlace))
  const sum = (of: 'all' | 'there'): number => times.reduce((total, time) => total + time[of], 0)
  return sum('all') === 0 ? 0 : sum('there') / sum('all')
}

function timesOf(
  { nodes, samples = [], timeDeltas = [] }: MainThreadProfile,
  isPlace: (url: string) => boolean,
): { all: number; there: number } {
  const there = new Set<number>()
  const resting = new Set<number>()
  for (const { id, callFrame, children = [] } of nodes) {
    if (callFrame.functionName === '(idle)') resting.add(id)
    if (isPlace(callFrame.url)) there.add(id)
    // A node stands before its children.
    if (there.has(id)) for (const child of children) there.add(child)
  }
  const times = { all: 0, there: 0 }
  for (const [index, sample] of samples.entries()) {
    if (resting.has(sample)) continue
    const time = timeDeltas[index + 1] ?? 0
    times.all += time
    if (there.has(sample)) times.there += time
  }
  return times
}
