import { startChildProgram } from '../child-program.ts'
import type { Effort } from '../effort.ts'
import { atMost, information, type Measurement } from '../measurement.ts'

const small = 10
const large = 400
const standardRounds = 100
const bar = 2

interface StartCosts {
  readonly byStarter: number
  readonly byCopy: number
}

/** Compares what the start of a program takes from the thread that starts it, in a large process and in a small one. */
export async function measureProgramStarts(effort: Effort): Promise<Measurement[]> {
  const rounds = effort.rounds(standardRounds)
  const [fromSmall, fromLarge] = [await costsOf(rounds, small), await costsOf(rounds, large)]
  const ratio = (of: keyof StartCosts): number => fromLarge[of] / fromSmall[of]
  const basis = (of: keyof StartCosts): string =>
    `${fromLarge[of].toFixed(2)} ms cpu with ${large} MiB more, ${fromSmall[of].toFixed(2)} ms with ${small} MiB more`
  return [
    atMost(
      'program start, from a large process over from a small one',
      ratio('byStarter'),
      'x',
      bar,
      basis('byStarter'),
    ),
    information(
      'program start by a copy of the process, large over small',
      ratio('byCopy'),
      'x',
      basis('byCopy'),
    ),
  ]
}

async function costsOf(rounds: number, mebibytes: number): Promise<StartCosts> {
  const program = new URL('../program-start-child.ts', import.meta.url)
  await using child = await startChildProgram(program, [String(rounds), String(mebibytes)], {})
  return JSON.parse(child.firstLine) as StartCosts
}
