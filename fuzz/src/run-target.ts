import { DomainError } from '@wadi/errors/domain-error.ts'
import { seededRandom } from '@wadi/testing/seeded-random.ts'
import { mutate } from './mutate.ts'
import type { Base, Target } from './target.ts'

/** Something that a reader should not have done. */
export interface Finding {
  readonly target: string
  readonly seed: number
  /** The number of the input; with the seed it gives the same input again. */
  readonly index: number
  readonly base: string
  readonly problem: string
  /** The input, in base64. */
  readonly input: string
}

const maxCpuMilliseconds = 2_000
const maxMessageLength = 20_000
const maxFindings = 20

/** The inputs that a target is given. */
export interface TargetRun {
  readonly seed: number
  /** The number of inputs. */
  readonly inputs: number
  /** An existing directory that targets may write to. */
  readonly scratch: string
}

/** One input of a run. */
interface FuzzInput {
  readonly base: Base
  readonly bytes: Buffer
}

/** The input of a number: equal seeds and numbers give equal bytes. */
export function inputAt(target: Target, seed: number, index: number): FuzzInput {
  const random = seededRandom(seed * 1_000_003 + index)
  const base = random.pick(target.bases)
  const others = target.bases.map(({ bytes }) => bytes)
  return { base, bytes: index === 0 ? base.bytes : mutate(base.bytes, others, random) }
}

/**
 * Gives a reader many inputs. It may only return or throw the errors that it promises, and soon; of more than 20 findings the
 * rest is not looked for.
 * @param onInput receives the number of each input before it is read
 */
export async function runTarget(
  target: Target,
  { seed, inputs, scratch }: TargetRun,
  onInput: (index: number) => void = () => undefined,
): Promise<Finding[]> {
  const findings: Finding[] = []
  for (let index = 0; index < inputs && findings.length < maxFindings; index++) {
    onInput(index)
    const { base, bytes } = inputAt(target, seed, index)
    const problem = await problemOf(target, { base, bytes }, scratch)
    if (problem === undefined) continue
    findings.push({
      target: target.name,
      seed,
      index,
      base: base.name,
      problem,
      input: bytes.toString('base64'),
    })
  }
  return findings
}

/** Gives a reader each base as it is, which it must return without an error. */
export async function readBases(target: Target, seed: number, scratch: string): Promise<Finding[]> {
  const findings: Finding[] = []
  for (const [index, base] of target.bases.entries()) {
    try {
      await target.read(base.bytes, base, scratch)
    } catch (error) {
      const problem = `the base is refused: ${error instanceof Error ? error.stack : String(error)}`
      const input = base.bytes.toString('base64')
      findings.push({ target: target.name, seed, index, base: base.name, problem, input })
    }
  }
  return findings
}

async function problemOf(
  target: Target,
  { base, bytes }: FuzzInput,
  scratch: string,
): Promise<string | undefined> {
  const before = process.threadCpuUsage()
  try {
    await target.read(bytes, base, scratch)
  } catch (error) {
    const expected = error instanceof DomainError || target.expects?.some((type) => error instanceof type)
    if (expected !== true)
      return `threw ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`
    const { message } = error instanceof Error ? error : { message: '' }
    if (message.trim() === '') return 'threw an error without a message'
    if (message.length > maxMessageLength) return `threw a message of ${message.length} characters`
  }
  const { user, system } = process.threadCpuUsage(before)
  const milliseconds = (user + system) / 1_000
  return milliseconds > maxCpuMilliseconds ? `took ${Math.round(milliseconds)} ms of a processor` : undefined
}
