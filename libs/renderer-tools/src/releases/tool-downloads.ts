import { fileIdentity } from '@wadi/containment/file-identity.ts'
import { SharedWork } from '@wadi/concurrency/shared-work.ts'
import { DomainError, FailedPreconditionError } from '@wadi/errors/domain-error.ts'
import { MachineShortageError } from '@wadi/errors/machine-shortage.ts'
import { withContext } from '@wadi/errors/with-context.ts'
import type { ToolName } from '@wadi/hydration/tool-versions.ts'
import { LRUCache } from 'lru-cache'
import { digestOf, installVersion, programFile, releaseDamageOf } from './installed-release.ts'
import { releaseUrl, type ReleaseAddresses } from './release-address.ts'
import { findRelease, type ReleaseList, type ToolRelease } from './release-list.ts'

/** Largest archive of a release, in bytes; those of Helm have 20 MiB. */
export const maxArchiveBytes = 128 * 1024 ** 2

const maxFailed = 1_000
const defaultRestMs = 30_000

/** The options of downloads. */
export interface DownloadOptions {
  /** The directory in which they are kept, as operators do. */
  readonly directory: string
  readonly list: ReleaseList
  readonly addresses: ReleaseAddresses
  /** Gets what is at a URL, which has at most `maxArchiveBytes`. */
  readonly get: (url: string, signal: AbortSignal) => Promise<Buffer>
  /** Looks at a new program before it is used; throws to refuse it. */
  readonly check?: (tool: ToolName, version: string, program: string) => Promise<void>
  /** The time for which callers get the error of a failed download again, in milliseconds; 30 s by default. */
  readonly restMs?: number
  /** Is called for each archive that was downloaded. */
  readonly downloaded?: (release: ToolRelease, url: string) => void
}

/**
 * Releases that are downloaded when a version is needed that is not there: those of a list alone, each once, with the digest of the list.
 * Archive and program are looked at again before the first use of a process; damaged ones are not used and downloaded again.
 */
export class ToolDownloads implements AsyncDisposable {
  readonly #options: DownloadOptions
  readonly #verified = new Map<string, string>()
  readonly #failed: LRUCache<string, Error>
  readonly #work = new SharedWork<string | undefined>('downloading a tool')
  readonly #closed = new AbortController()

  constructor(options: DownloadOptions) {
    this.#options = options
    this.#failed = new LRUCache({ max: maxFailed, ttl: options.restMs ?? defaultRestMs })
  }

  /** The directory of programs, each as `<tool>/<version>/<tool>`. */
  get directory(): string {
    return this.#options.directory
  }

  /** Changes with the list. */
  get identity(): string {
    return this.#options.list.identity
  }

  /** The versions of a tool in the list, for this machine. */
  versions(tool: ToolName): string[] {
    return this.#options.list.releases.flatMap((release) => (release.tool === tool ? [release.version] : []))
  }

  /** The program of a version if it is there and what it has to be; undefined otherwise. */
  async find(tool: ToolName, version: string): Promise<string | undefined> {
    const release = findRelease(this.#options.list, tool, version)
    return release && this.#work.run(`find ${tool} ${version}`, undefined, () => this.#whole(release))
  }

  /**
   * The same, which is downloaded if need be. Thousands of sources may ask for a version that cannot be had: its error answers them for a while.
   * @param isAsked true for somebody who asks for this version now, whatever the last error was
   * @throws FailedPreconditionError for a version that is in no list and an archive that is not what it has to be, and what `get` throws
   */
  async obtain(
    tool: ToolName,
    version: string,
    { signal, isAsked = false }: { readonly signal?: AbortSignal; readonly isAsked?: boolean } = {},
  ): Promise<string> {
    const { list } = this.#options
    const release = findRelease(list, tool, version)
    if (release === undefined) throw new FailedPreconditionError(`${tool} ${version} is not in ${list.file}`)
    const program = await this.#work.run(`${tool} ${version}`, signal, async (shared) => {
      const limited = AbortSignal.any([shared, this.#closed.signal])
      const whole = await this.#whole(release)
      if (whole !== undefined) return whole
      const failure = isAsked ? undefined : this.#failed.get(release.sha256)
      if (failure) throw failure
      try {
        return await this.#download(release, limited)
      } catch (error) {
        const isOfThisMachine = error instanceof MachineShortageError || limited.aborted
        if (error instanceof DomainError && !isOfThisMachine) this.#failed.set(release.sha256, error)
        throw error
      }
    })
    return program ?? programFile({ directory: this.directory, tool, version })
  }

  async #whole({ tool, version, sha256 }: ToolRelease): Promise<string | undefined> {
    const place = { directory: this.directory, tool, version }
    const file = programFile(place)
    const identity = fileIdentity(file)
    if (identity === undefined) return undefined
    if (this.#verified.get(file) === identity) return file
    if ((await releaseDamageOf(place, sha256)) !== undefined) return undefined
    this.#verified.set(file, identity)
    return file
  }

  async #download(release: ToolRelease, signal: AbortSignal): Promise<string> {
    const { addresses, get, check, downloaded, list } = this.#options
    const { tool, version, sha256 } = release
    const url = releaseUrl(addresses, release)
    return withContext(`${tool} ${version} of ${url}`, async () => {
      const archive = await get(url, signal)
      const digest = digestOf(archive)
      if (digest !== sha256)
        throw new FailedPreconditionError(
          `the archive has the digest sha256:${digest}, and ${list.file} says sha256:${sha256}; nothing of it is used`,
        )
      const place = { directory: this.directory, tool, version }
      const program = await installVersion(place, { archive }, async (file) => {
        await check?.(tool, version, file)
      })
      downloaded?.(release, url)
      return program
    })
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#closed.abort()
  }
}
