import { execFile } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { readFileSync, renameSync, writeFileSync } from 'node:fs'
import { fileIdentity } from '@wadi/containment/file-identity.ts'
import { FailedPreconditionError, UnavailableError } from '@wadi/errors/domain-error.ts'
import { notExecutableBecause } from '@wadi/programs/not-executable.ts'
import {
  exactVersion,
  fileDigest,
  isLauncher,
  type ToolProgram,
  type VersionQuestion,
} from './tool-program.ts'

const versionTimeoutMs = 30_000

/** The number of reads of a program that is being replaced. */
const maxLooks = 3

/**
 * Knows the versions and digests of programs, which are kept in a file, as asking one costs tens of milliseconds. A program that hands over to another
 * one is asked each time.
 */
export class ProgramVersions {
  readonly #file: string
  readonly #signal: AbortSignal | undefined
  readonly #known: Map<string, unknown>

  constructor(file: string, signal: AbortSignal | undefined) {
    this.#file = file
    this.#signal = signal
    this.#known = new Map(Object.entries(readJson(file)))
  }

  /**
   * A program and its version; undefined when it is missing or does not report one.
   * @throws FailedPreconditionError for a file that the system does not execute, UnavailableError for one that is replaced again and again
   */
  async read(
    binary: string,
    question: VersionQuestion,
  ): Promise<{ readonly version: string; readonly program: ToolProgram } | undefined> {
    for (let looks = 0; looks < maxLooks; looks += 1) {
      const identity = fileIdentity(binary)
      if (identity === undefined) return undefined
      assertExecutable(binary)
      const launches = isLauncher(binary) ? question : undefined
      const known = { binary, identity, isKept: launches === undefined }
      const version = await this.#version(known, question)
      const sha256 = version === undefined ? '' : await this.#digest(known)
      if (fileIdentity(binary) !== identity) continue
      if (version === undefined) return undefined
      return { version: exactVersion(version, sha256), program: { path: binary, identity, launches, sha256 } }
    }
    throw new UnavailableError(`${binary} is being replaced; it is tried again`)
  }

  async #version(
    { binary, identity, isKept }: KnownProgram,
    { args, read }: VersionQuestion,
  ): Promise<string | undefined> {
    const known = isKept ? this.#known.get(identity) : undefined
    if (typeof known === 'string') return known === '' ? undefined : known
    const output = await outputOf(binary, args, this.#signal)
    // A machine that is too busy may have stopped it: that says nothing of the next start.
    if (output === undefined) return undefined
    const version = read(output)
    if (isKept && fileIdentity(binary) === identity) this.#keep(identity, version ?? '')
    return version
  }

  async #digest({ binary, identity, isKept }: KnownProgram): Promise<string> {
    const name = `sha256 of ${identity}`
    const known = isKept ? this.#known.get(name) : undefined
    if (typeof known === 'string') return known
    const digest = await fileDigest(binary)
    if (isKept && fileIdentity(binary) === identity) this.#keep(name, digest)
    return digest
  }

  #keep(name: string, value: string): void {
    this.#known.set(name, value)
    // Containers that share the directory may have equal process ids.
    const temporary = `${this.#file}.${randomUUID()}`
    writeFileSync(temporary, JSON.stringify(Object.fromEntries(this.#known)))
    renameSync(temporary, this.#file)
  }
}

/** A program as it is looked at. */
interface KnownProgram {
  readonly binary: string
  readonly identity: string
  /** True if what is found out holds for as long as the identity does. */
  readonly isKept: boolean
}

/** @throws FailedPreconditionError for a file that the system does not execute, as in a place that is mounted `noexec` */
function assertExecutable(file: string): void {
  const reason = notExecutableBecause(file)
  if (reason === undefined) return
  throw new FailedPreconditionError(
    `${file} cannot be executed: ${reason} (helm, kustomize and kubectl are also taken from PATH)`,
  )
}

/** Returns the output of the operator's program; undefined when it fails. */
function outputOf(
  binary: string,
  args: readonly string[],
  signal: AbortSignal | undefined,
): Promise<string | undefined> {
  const env = { PATH: process.env['PATH'] ?? '', HOME: '/nonexistent' }
  return new Promise((resolve, reject) => {
    execFile(binary, args, { cwd: '/', env, timeout: versionTimeoutMs, signal }, (error, output) => {
      if (signal?.aborted === true) reject(signal.reason)
      else resolve(error === null ? output : undefined)
    })
  })
}

function readJson(file: string): object {
  try {
    const value: unknown = JSON.parse(readFileSync(file, 'utf8'))
    return typeof value === 'object' && value !== null ? value : {}
  } catch {
    // No file or a damaged one: every version is requested again.
    return {}
  }
}
