import { randomUUID } from 'node:crypto'
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { gunzip, gzip, type ZlibOptions } from 'node:zlib'
import { create, fromBinary, toBinary } from '@bufbuild/protobuf'
import { ListRunsResponseSchema } from '@wadi/protocol/gen/wadi/hydrator/v1/hydrator_pb.ts'
import type { Run } from '@wadi/protocol/gen/wadi/runs/v1/runs_pb.ts'
import type { SharedMemory } from '@wadi/queue/shared-memory.ts'

/** Runs that are kept of each branch. */
const maxRuns = 20

/** Bytes of the runs of a branch, unpacked: far more than 20 runs have. */
const maxBytes = 32 * 1024 * 1024

const compress = promisify<Uint8Array, Buffer>(gzip)
const decompress = promisify<Buffer, ZlibOptions, Buffer>(gunzip)

/** The logs of former runs of branches, in files and in what hydrators share. Losing them harms nothing. */
export class RunHistory {
  readonly #directory: string
  readonly #shared: SharedMemory

  constructor(directory: string, shared: SharedMemory) {
    this.#directory = directory
    this.#shared = shared
  }

  /** Keeps the log of a run; one that cannot be written is lost. */
  async add(key: string, run: Run): Promise<void> {
    const { runs } = await this.read(key)
    const packed = await packedRuns([run, ...runs].slice(0, maxRuns))
    await Promise.all([this.#write(key, packed), this.#shared.remember(runsName(key), packed)]).catch(
      () => undefined,
    )
  }

  /** Returns the former runs of a branch, the newest first, and the one that another hydrator has under way. */
  async read(key: string): Promise<{ runs: Run[]; underWay: Run | undefined }> {
    const [own, shared, reported] = await Promise.all([
      readFile(this.#file(key)).catch(() => undefined),
      this.#shared.recall(runsName(key)),
      this.#shared.recall(reportName(key)),
    ])
    const known = new Map(
      (await Promise.all([own, shared].map(unpackedRuns))).flat().map((run) => [run.id, run]),
    )
    const runs = [...known.values()].toSorted((one, other) => (one.startedAt < other.startedAt ? 1 : -1))
    const [underWay] = await unpackedRuns(reported)
    // The hydrator that reported it may have ended since.
    const isOver = underWay && (runs[0]?.startedAt ?? '') >= underWay.startedAt
    return { runs: runs.slice(0, maxRuns), underWay: isOver ? undefined : underWay }
  }

  /** Tells other hydrators how far a run is; undefined when it is over. */
  async report(key: string, run: Run | undefined): Promise<void> {
    const packed = await packedRuns(run ? [run] : [])
    await this.#shared.remember(reportName(key), packed).catch(() => undefined)
  }

  /** Removes the file of a branch. */
  async forget(key: string): Promise<void> {
    await rm(this.#file(key), { force: true })
  }

  /** Removes the files that a process did not finish before its end. */
  async removeUnfinished(): Promise<void> {
    const names = await readdir(this.#directory).catch(() => [])
    const unfinished = names.filter((name) => name.startsWith('.'))
    await Promise.all(unfinished.map((name) => rm(join(this.#directory, name), { force: true })))
  }

  async #write(key: string, packed: Buffer): Promise<void> {
    await mkdir(this.#directory, { recursive: true, mode: 0o700 })
    const temporary = join(this.#directory, `.${key}.${randomUUID()}`)
    await writeFile(temporary, packed, { mode: 0o600 })
    await rename(temporary, this.#file(key))
  }

  #file(key: string): string {
    return join(this.#directory, `${key}.runs`)
  }
}

async function packedRuns(runs: Run[]): Promise<Buffer> {
  return compress(toBinary(ListRunsResponseSchema, create(ListRunsResponseSchema, { runs })))
}

/** Returns the runs of a file or message; none of one that is cut short. */
async function unpackedRuns(packed: Buffer | undefined): Promise<Run[]> {
  if (packed === undefined) return []
  try {
    return fromBinary(ListRunsResponseSchema, await decompress(packed, { maxOutputLength: maxBytes })).runs
  } catch {
    return []
  }
}

function runsName(key: string): string {
  return `runs:${key}`
}

function reportName(key: string): string {
  return `run:${key}`
}
