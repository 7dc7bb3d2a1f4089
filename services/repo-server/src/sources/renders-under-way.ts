import { createHash } from 'node:crypto'
import { mkdirSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import pLimit from 'p-limit'
import { containerMemory } from '@wadi/containment/container-memory.ts'
import { ProgramKilledError } from '@wadi/errors/domain-error.ts'
import { unusableDirectory } from '@wadi/errors/unusable-directory.ts'
import type { ServiceBase } from '@wadi/rpc/service-base.ts'

/** So often may the service be killed while it renders one source, before it leaves that one alone. */
const maxKills = 3
/** The time after which it is tried once more. */
const pauseMs = 3_600_000

/** A source that the service was rendering when it was killed, and did not render since. */
interface Suspect {
  readonly kills: number
  /** The newest, in milliseconds since 1970. */
  readonly at: number
}

/** Opens the renders of a service that may have been killed. @param directory is made; no other process may use it */
export function openRendersUnderWay(
  { logger }: Pick<ServiceBase, 'logger'>,
  directory: string,
): RendersUnderWay {
  const underWay = rendersUnderWay(directory)
  const { suspected: sources } = underWay
  if (sources > 0)
    logger.warn(
      { sources },
      'the service was killed while it rendered; what it rendered is rendered one at a time',
    )
  return underWay
}

function rendersUnderWay(directory: string): RendersUnderWay {
  try {
    return new RendersUnderWay(directory)
  } catch (error) {
    throw unusableDirectory(directory, error)
  }
}

/** Gives work its turn. */
type Turns = <Result>(work: () => Promise<Result>) => Promise<Result>

/**
 * The renders that are under way, as empty files of a directory that outlives the process. A service that is killed, as the kernel does when its
 * container runs out of memory, finds there at its next start what it was rendering. Those sources are then rendered one at a time, so that it
 * becomes known which one it is; after three times that one has an error of its own, and the others go on. With another memory limit nothing is
 * suspected.
 */
export class RendersUnderWay {
  readonly #directory: string
  readonly #limitBytes: number | undefined
  readonly #suspects = new Map<string, Suspect>()
  readonly #alone = pLimit(1)
  readonly #counts = new Map<string, number>()

  /** @param directory is made; no other process may use it */
  constructor(directory: string, limitBytes = containerMemory()) {
    this.#limitBytes = limitBytes
    const own = `limit-${limitBytes ?? 'none'}`
    this.#directory = join(directory, own)
    mkdirSync(this.#directory, { recursive: true, mode: 0o700 })
    for (const name of readdirSync(directory)) {
      if (name !== own) rmSync(join(directory, name), { recursive: true })
    }
    for (const file of readdirSync(this.#directory).toSorted()) this.#readSuspect(file)
  }

  /** The number of sources that are rendered one at a time. */
  get suspected(): number {
    return this.#suspects.size
  }

  /**
   * Renders a source when it is its turn.
   * @param key the same for the same source
   * @throws ProgramKilledError for one whose render killed the service too often, beside what the render throws
   */
  async run<Result>(key: string, turns: Turns, render: () => Promise<Result>): Promise<Result> {
    const name = createHash('sha256').update(key).digest('hex')
    const work = async () => await turns(async () => await this.#noted(name, render))
    const suspect = this.#suspects.get(name)
    if (suspect === undefined) return await work()
    if (suspect.kills >= maxKills && Date.now() - suspect.at < pauseMs) throw this.#tooOften(suspect)
    return await this.#alone(work)
  }

  async #noted<Result>(name: string, render: () => Promise<Result>): Promise<Result> {
    const count = this.#counts.get(name) ?? 0
    this.#counts.set(name, count + 1)
    if (count === 0) this.#note(name)
    try {
      return await render()
    } finally {
      this.#end(name)
    }
  }

  #note(name: string): void {
    try {
      writeFileSync(this.#fileOf(name), '', { mode: 0o600 })
    } catch {
      // Whether a full disk is an error is for the render to say, which may need none.
    }
  }

  #end(name: string): void {
    const count = (this.#counts.get(name) ?? 1) - 1
    if (count > 0) {
      this.#counts.set(name, count)
      return
    }
    this.#counts.delete(name)
    const file = this.#fileOf(name)
    for (const left of [file, `${file}.killed`]) rmSync(left, { force: true })
    this.#suspects.delete(name)
  }

  #fileOf(name: string): string {
    return join(this.#directory, `${name}.${this.#suspects.get(name)?.kills ?? 0}`)
  }

  /** Reads `<source>.<kills>`, of a render that was under way, and `<source>.<kills>.killed` of an earlier one, which comes later. */
  #readSuspect(file: string): void {
    const [name = '', before = '', isEarlier] = file.split('.')
    const place = join(this.#directory, file)
    if (isEarlier === undefined) {
      const kills = Number(before) + 1
      renameSync(place, join(this.#directory, `${name}.${kills}.killed`))
      this.#suspects.set(name, { kills, at: Date.now() })
    } else if (this.#suspects.has(name)) rmSync(place)
    else this.#suspects.set(name, { kills: Number(before), at: statSync(place).mtimeMs })
  }

  #tooOften({ kills }: Suspect): ProgramKilledError {
    const limit =
      this.#limitBytes === undefined
        ? 'give the machine more memory'
        : `raise the memory limit of its container, ${Math.round(this.#limitBytes / 2 ** 20)}Mi (repoServer.resources.limits.memory of the chart)`
    return new ProgramKilledError(
      `repo-server was killed ${kills} times while it rendered this, probably by the kernel as it ran out of memory; ${limit}, or make the source smaller; it is tried again within an hour, and when the limit is another`,
    )
  }
}
