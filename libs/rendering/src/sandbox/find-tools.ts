import { execFile } from 'node:child_process'
import { mkdirSync, readFileSync, realpathSync, renameSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { findProgram, pathFolders } from '@wadi/containment/find-program.ts'
import { FailedPreconditionError, InvalidInputError } from '@wadi/errors/domain-error.ts'
import { notExecutableBecause } from '@wadi/programs/not-executable.ts'
import gte from 'semver/functions/gte.js'
import parse from 'semver/functions/parse.js'
import type { BundledTool } from './bundled-tools.ts'

/** The renderers of this machine. */
export interface Tools {
  readonly helm: { readonly command: readonly string[]; readonly version: string }
  readonly kustomize: {
    readonly command: readonly string[]
    readonly version: string
    /** Whether it is `kustomize` itself; else it is `kubectl kustomize`. */
    readonly standalone: boolean
  }
}

/** Where to look for the renderers. */
export interface FindToolsOptions {
  /** Folder for unpacked binaries and known versions, kept between starts. */
  readonly cacheDirectory: string
  /** Paths of binaries to take instead of searching `PATH`. */
  readonly helm?: string
  readonly kustomize?: string
  readonly kubectl?: string
  readonly signal?: AbortSignal
}

const versionTimeoutMs = 30_000

/** Oldest versions whose options are all known to work. */
const oldestHelm = '3.14.0'
const oldestKustomize = '5.0.0'

/**
 * Finds Helm and Kustomize: the given paths, else `helm` and `kustomize` on `PATH`, else `kubectl` on `PATH` for its
 * Kustomize, else the binaries of the npm package that comes along. A binary of `PATH` that is too old is passed over.
 * @throws FailedPreconditionError if one of them cannot be had on this machine, or may not be executed where it is
 */
export async function findTools(options: FindToolsOptions): Promise<Tools> {
  mkdirSync(options.cacheDirectory, { recursive: true })
  const versions = new VersionCache(join(options.cacheDirectory, 'tool-versions.json'), options.signal)
  const helm = await findHelm(options, versions)
  const kustomize = await findKustomize(options, versions)
  return { helm, kustomize }
}

async function findHelm(options: FindToolsOptions, versions: VersionCache): Promise<Tools['helm']> {
  const binary = options.helm ?? findOnPath('helm')
  if (binary !== undefined) {
    const version = await versions.read(binary, ['version', '--template', '{{.Version}}'], plainVersion)
    if (version !== undefined && gte(version, oldestHelm)) return { command: [binary], version }
    if (options.helm !== undefined) throw unusable('helm', options.helm, version, oldestHelm)
  }
  const own = await bundled('helm', options)
  const version = await versions.read(own, ['version', '--template', '{{.Version}}'], plainVersion)
  if (version === undefined) throw unusable('helm', own, version, oldestHelm)
  return { command: [own], version }
}

/** @throws FailedPreconditionError for a file that the system does not execute, as in a place that is mounted `noexec` */
function assertExecutable(file: string): void {
  const reason = notExecutableBecause(file)
  if (reason === undefined) return
  throw new FailedPreconditionError(
    `${file} cannot be executed: ${reason} (helm, kustomize and kubectl are also taken from PATH)`,
  )
}

async function findKustomize(options: FindToolsOptions, versions: VersionCache): Promise<Tools['kustomize']> {
  const binary = options.kustomize ?? (options.kubectl === undefined ? findOnPath('kustomize') : undefined)
  if (binary !== undefined) {
    const version = await versions.read(binary, ['version'], plainVersion)
    if (version !== undefined && gte(version, oldestKustomize)) {
      return { command: [binary], version, standalone: true }
    }
    if (options.kustomize !== undefined) throw unusable('kustomize', binary, version, oldestKustomize)
  }
  const kubectl = options.kubectl ?? findOnPath('kubectl')
  for (const candidate of [kubectl, () => bundled('kubectl', options)]) {
    if (candidate === undefined) continue
    const path = typeof candidate === 'string' ? candidate : await candidate()
    const version = await versions.read(path, ['version', '--client', '-o', 'json'], kubectlKustomizeVersion)
    if (version !== undefined && gte(version, oldestKustomize)) {
      return { command: [path, 'kustomize'], version, standalone: false }
    }
    if (path === options.kubectl) throw unusable('kubectl', path, version, oldestKustomize)
  }
  throw new FailedPreconditionError('no usable Kustomize: install kustomize or kubectl and put it on PATH')
}

function unusable(
  tool: BundledTool | 'kustomize',
  path: string,
  version: string | undefined,
  oldest: string,
): Error {
  const found = version === undefined ? 'does not report its version' : `has version ${version}`
  return new InvalidInputError(`${tool} at ${path} ${found}; at least ${oldest} is needed`)
}

/** What unpacks them is loaded where there is no other. */
async function bundled(tool: BundledTool, { cacheDirectory }: FindToolsOptions): Promise<string> {
  const { bundledTool } = await import('./bundled-tools.ts')
  return bundledTool(tool, cacheDirectory)
}

function findOnPath(name: string): string | undefined {
  return findProgram(name, pathFolders(process.env['PATH']))
}

function plainVersion(output: string): string | undefined {
  return /v\d+\.\d+\.\d+\S*/.exec(output)?.[0]
}

/** The Kustomize inside a kubectl; none for a dispatcher, which runs another kubectl depending on a cluster. */
function kubectlKustomizeVersion(output: string): string | undefined {
  const kubectl = /"gitVersion": "(.*?)"/.exec(output)?.[1] ?? ''
  if (parse(kubectl)?.prerelease.length !== 0) return undefined
  return /"kustomizeVersion": "(.*?)"/.exec(output)?.[1]
}

/** Remembers the versions of binaries by path, size and time, as asking one costs tens of milliseconds. */
class VersionCache {
  readonly #file: string
  readonly #signal: AbortSignal | undefined
  readonly #known: Map<string, unknown>

  constructor(file: string, signal: AbortSignal | undefined) {
    this.#file = file
    this.#signal = signal
    this.#known = new Map(Object.entries(readJson(file)))
  }

  async read(
    binary: string,
    args: readonly string[],
    parseVersion: (output: string) => string | undefined,
  ): Promise<string | undefined> {
    const stat = statSync(binary, { throwIfNoEntry: false })
    if (stat === undefined) return undefined
    assertExecutable(binary)
    // Data directories may share one directory of unpacked binaries by links.
    const key = `${realpathSync(binary)} ${stat.size} ${stat.mtimeMs}`
    const known = this.#known.get(key)
    if (typeof known === 'string') return known === '' ? undefined : known
    const output = await outputOf(binary, args, this.#signal)
    // A machine that is too busy may have stopped it: that says nothing of the next start.
    if (output === undefined) return undefined
    const version = parseVersion(output)
    this.#known.set(key, version ?? '')
    const temporary = `${this.#file}.${process.pid}`
    writeFileSync(temporary, JSON.stringify(Object.fromEntries(this.#known)))
    renameSync(temporary, this.#file)
    return version
  }
}

/** What the operator's program prints; undefined when it fails. */
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
