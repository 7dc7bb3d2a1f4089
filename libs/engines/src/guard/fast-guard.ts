import { availableParallelism } from 'node:os'
import { errorMessage, InvalidInputError, UnavailableError } from '@wadi/errors/domain-error.ts'
import { ComparisonTurns } from './comparison-turns.ts'
import { EngineStarts } from './engine-starts.ts'
import { type Distrust, type FastReports, type TwoWays, UnsupportedFastWay } from './two-ways.ts'
import { threadRoom } from '../threads/thread-room.ts'
import { growingCache } from '@wadi/concurrency/growing-cache.ts'

/** The trust in a program: none yet while its first render is compared. */
type Trust = 'comparing' | 'tool' | { renders: number }

/** Programs whose trust is remembered. */
const maxPrograms = 20_000

const maxReasonLength = 300

/** Far more than most comparisons take. */
const maxComparisonWaitMilliseconds = 2000

/**
 * Decides for each render whether the fast way may make it, by comparing it with the tool: the first render of each
 * program, and of the later ones every n-th and all that are strict, are made by both, and the tool's result is returned. While no engine
 * of the fast way runs, the tool makes the first few renders alone. While it is ready, others of the program wait for the first comparison a
 * while instead of starting the tool as well; a later comparison that is due waits for a render at which no other one is made. The
 * comparison goes on behind the render, which takes no longer than the tool. A difference, an error that the tool does not
 * have, or something unsupported leaves the program to the tool. Nothing outlives the process: after a restart each program
 * is compared again.
 */
export class FastGuard implements AsyncDisposable {
  readonly #compareEvery: number
  readonly #reports: FastReports
  readonly #trust = growingCache<string, Trust>(maxPrograms)
  readonly #starts: EngineStarts
  readonly #comparisons = new Set<Promise<void>>()
  /** The first comparisons of programs that go on. */
  readonly #first = new Map<string, Promise<void>>()
  readonly #turns: ComparisonTurns

  /**
   * @param compareEvery 100 compares one in a hundred renders beyond the first, 1 all
   * @param toolFirst how many renders, one soon after the other, the tool makes before an engine is started for them
   * @param maxTools how many tools of programs without trust run at a time; default: one core is left to threads
   * @param maxWaitMilliseconds how long a render waits for comparisons that others make
   */
  constructor(
    reports: FastReports,
    {
      compareEvery = 100,
      toolFirst = 0,
      maxTools = Math.max(1, availableParallelism() - 1),
      maxWaitMilliseconds = maxComparisonWaitMilliseconds,
    } = {},
  ) {
    this.#turns = new ComparisonTurns({ maxTools, maxWaitMilliseconds })
    this.#reports = reports
    this.#compareEvery = compareEvery
    this.#starts = new EngineStarts(toolFirst)
  }

  /**
   * Renders in the way that is trusted.
   * @throws what the tool throws: of an error of the fast way it decides
   */
  async render<Result>(ways: TwoWays<Result>): Promise<Result> {
    const key = `${ways.renderer} ${ways.digest}`
    const isReady = ways.engine?.isReady === true
    const first = this.#first.get(key)
    if (first !== undefined && isReady && !ways.isStrict) await this.#turns.waitFor(first, ways.signal)
    const trust = this.#trust.get(key)
    if (trust === 'tool') return await this.#byTool(ways)
    if (!ways.isStrict && !this.#starts.isWorth(ways)) return await this.#byToolInTurn(ways)
    if (ways.isStrict || trust === undefined) return await this.#compare(key, ways)
    if (trust === 'comparing') return await this.#byToolInTurn(ways)
    trust.renders += 1
    if (this.#isDue(trust.renders)) {
      trust.renders -= this.#compareEvery
      return await this.#compare(key, ways)
    }
    return await this.#fast(key, ways)
  }

  /** Takes note of a render that the tool makes, as no engine can. */
  leave(renderer: string): void {
    this.#reports.rendered(renderer, 'missing')
  }

  /** Ends when all comparisons that go on are made. */
  async settled(): Promise<void> {
    await Promise.all(this.#comparisons)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.settled()
  }

  /** True if a trusted program must be compared again: at each n-th render, or up to n later when no other comparison is made. */
  #isDue(renders: number): boolean {
    const every = this.#compareEvery
    return renders >= every && (every === 1 || renders >= 2 * every || !this.#turns.isTaken)
  }

  async #byToolInTurn<Result>(ways: TwoWays<Result>): Promise<Result> {
    using _ = await this.#turns.take(ways)
    return await this.#byTool(ways)
  }

  async #byTool<Result>(ways: TwoWays<Result>): Promise<Result> {
    const result = await runTool(ways)
    this.#reports.rendered(ways.renderer, 'tool')
    return result
  }

  async #fast<Result>(key: string, ways: TwoWays<Result>): Promise<Result> {
    try {
      const run = await ways.prepare(false)
      const result = await run(ways.signal)
      this.#reports.rendered(ways.renderer, 'fast')
      return result
    } catch (error) {
      ways.signal?.throwIfAborted()
      const result = await this.#afterError(ways)
      if (!(error instanceof UnavailableError)) this.#distrust(key, ways, ...reasonOf(error))
      return result
    }
  }

  async #afterError<Result>(ways: TwoWays<Result>): Promise<Result> {
    try {
      return await runTool(ways)
    } catch (error) {
      this.#reports.rendered(ways.renderer, 'refused')
      throw error
    }
  }

  async #compare<Result>(key: string, ways: TwoWays<Result>): Promise<Result> {
    const compared = this.#begin(key)
    const turn = await this.#turns.take(ways).catch((error: unknown) => {
      this.#forget(key)
      compared.resolve()
      throw error
    })
    const prepared = ways.prepare(true)
    const [byTool] = await Promise.allSettled([runTool(ways), prepared])
    // The start of an engine takes as much memory as another tool.
    const startsEngine = ways.engine?.isReady === false
    if (!startsEngine) turn?.[Symbol.dispose]()
    const isAborted = ways.signal?.aborted === true
    const fast = prepared.then((run) => run(undefined))
    const comparison = this.#judge(key, ways, byTool, isAborted, fast).finally(() => {
      if (startsEngine) turn?.[Symbol.dispose]()
      this.#comparisons.delete(comparison)
      compared.resolve()
    })
    this.#comparisons.add(comparison)
    if (byTool.status === 'rejected') throw byTool.reason
    return byTool.value
  }

  /** Begins a comparison; the first one of a program is noted for renders that wait until it is resolved. */
  #begin(key: string): PromiseWithResolvers<void> {
    const compared = Promise.withResolvers<void>()
    if (this.#trust.has(key)) return compared
    this.#trust.set(key, 'comparing')
    this.#first.set(key, compared.promise)
    void compared.promise.then(() => {
      if (this.#first.get(key) === compared.promise) this.#first.delete(key)
    })
    return compared
  }

  async #judge<Result>(
    key: string,
    ways: TwoWays<Result>,
    byTool: PromiseSettledResult<Result>,
    isAborted: boolean,
    byFastWay: Promise<Result>,
  ): Promise<void> {
    const [fast] = await Promise.allSettled([byFastWay])
    const isUndecided =
      isAborted ||
      (byTool.status === 'rejected' && !(byTool.reason instanceof InvalidInputError)) ||
      (fast.status === 'rejected' && fast.reason instanceof UnavailableError)
    if (isUndecided) return this.#forget(key)
    if (byTool.status === 'rejected') {
      if (fast.status === 'fulfilled')
        return this.#distrust(key, ways, 'different', 'renders what the tool rejects')
      this.#reports.rendered(ways.renderer, 'refused')
      return this.#forget(key)
    }
    if (fast.status === 'rejected') return this.#distrust(key, ways, ...reasonOf(fast.reason))
    const line = firstDifference(ways.comparable(byTool.value), ways.comparable(fast.value))
    if (line !== undefined)
      return this.#distrust(key, ways, 'different', `gives another result from line ${line} on`)
    if (this.#trust.get(key) === 'comparing') this.#trust.set(key, { renders: 0 })
    this.#reports.rendered(ways.renderer, 'equal')
  }

  /** Lets the next render compare, if nothing was found before. */
  #forget(key: string): void {
    if (this.#trust.get(key) === 'comparing') this.#trust.delete(key)
  }

  #distrust(key: string, { renderer, name }: TwoWays<unknown>, outcome: Distrust, reason: string): void {
    this.#reports.rendered(renderer, outcome)
    if (this.#trust.get(key) === 'tool') return
    this.#trust.set(key, 'tool')
    this.#reports.distrusted(renderer, `${name} is left to the tool: the fast way ${reason}`)
  }
}

/** Runs the tool, for which idle threads of other engines make room: its process takes as much memory as one of them. */
async function runTool<Result>(ways: TwoWays<Result>): Promise<Result> {
  using _ = ways.engine?.addTool() ?? threadRoom.addProcess()
  return await ways.tool()
}

function reasonOf(error: unknown): [Distrust, string] {
  if (error instanceof UnsupportedFastWay) return ['unsupported', error.message]
  return ['failed', `fails where the tool does not: ${errorMessage(error).slice(0, maxReasonLength)}`]
}

/** The first line in which two texts differ, from 1; undefined when they are equal. */
function firstDifference(a: string, b: string): number | undefined {
  if (a === b) return undefined
  const other = b.split('\n')
  return a.split('\n').findIndex((line, index) => line !== other[index]) + 1 || a.split('\n').length + 1
}
