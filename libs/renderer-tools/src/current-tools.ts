import { fileIdentity } from '@wadi/containment/file-identity.ts'
import { errorMessage, UnavailableError } from '@wadi/errors/domain-error.ts'
import { toolNames } from '@wadi/hydration/tool-versions.ts'
import { directoryIdentity } from './other-versions.ts'
import { findTools, type FindToolsOptions, type Tool, type Tools } from './find-tools.ts'

/** The time for which a check of the files is used, and the interval of asking a program that hands over to another one. */
const lookMs = 1_000
const askMs = 30_000

/** The renderers of this machine as they are now: one whose program is replaced while the process runs is found again. */
export class CurrentTools {
  readonly #options: FindToolsOptions
  #tools: Tools
  #looked = performance.now()
  #asked = performance.now()
  #directory: string
  #finding: Promise<Tools> | undefined

  private constructor(options: FindToolsOptions, tools: Tools) {
    // A program of PATH that is away for a moment must not be taken for one that is not installed.
    this.#options = { ...options, ...pathsOf(tools) }
    this.#tools = tools
    this.#directory = directoryIdentity(options)
  }

  /** @throws what `findTools` throws */
  static async open(options: FindToolsOptions): Promise<CurrentTools> {
    return new CurrentTools(options, await findTools(options))
  }

  /** Those of the newest look. */
  get known(): Tools {
    return this.#tools
  }

  /** Has the next call look again, as a render met another program. */
  doubt(): void {
    this.#looked = -Infinity
    this.#asked = -Infinity
  }

  /** @throws UnavailableError when a program that was replaced cannot be used, with the reason */
  async now(): Promise<Tools> {
    if (this.#finding === undefined && !this.#isOld()) return this.#tools
    this.#finding ??= this.#find().finally(() => (this.#finding = undefined))
    return await this.#finding
  }

  #isOld(): boolean {
    const now = performance.now()
    if (now - this.#looked < lookMs) return false
    this.#looked = now
    if (this.#directory !== directoryIdentity(this.#options)) return true
    const tools = [this.#tools.helm, this.#tools.kustomize]
    const launches = tools.some(({ program }) => program?.launches !== undefined)
    return tools.some(isReplaced) || (launches && now - this.#asked >= askMs)
  }

  async #find(): Promise<Tools> {
    try {
      this.#directory = directoryIdentity(this.#options)
      const found = await findTools(this.#options)
      this.#looked = this.#asked = performance.now()
      if (identityOf(found) !== identityOf(this.#tools)) this.#tools = found
      return this.#tools
    } catch (cause) {
      this.doubt()
      throw new UnavailableError(`${errorMessage(cause)}; it is tried again`, { cause })
    }
  }
}

/**
 * Names the versions that render, and those that git may ask for, for people and for comparison. Those that may be downloaded are named
 * by their list, so that a download changes nothing.
 */
export function toolsIdentity(tools: Tools): string {
  const { helm, kustomize, downloads } = tools
  const own = `helm ${helm.version}, kustomize ${kustomize.version}`
  const others = toolNames.flatMap((name) =>
    [...(tools.others?.[name] ?? [])].flatMap(([version, { origin }]) =>
      origin === 'downloaded' ? [] : [`${name} ${version}`],
    ),
  )
  const asked = downloads === undefined ? others : [...others, `releases of list ${downloads}`]
  return asked.length === 0 ? own : `${own}; when asked for ${asked.join(', ')}`
}

function isReplaced({ program }: Tool): boolean {
  return program !== undefined && fileIdentity(program.path) !== program.identity
}

function identityOf(tools: Tools): string {
  const others = toolNames.flatMap((name) => [...(tools.others?.[name].values() ?? [])])
  const programs = [tools.helm.program, tools.kustomize.program, ...others]
  return [toolsIdentity(tools), ...programs.map((program) => program?.identity)].join('\n')
}

function pathsOf({ helm, kustomize }: Tools): Pick<FindToolsOptions, 'helm' | 'kustomize' | 'kubectl'> {
  const [helmPath = ''] = helm.command
  const [kustomizePath = ''] = kustomize.command
  return { helm: helmPath, [kustomize.standalone ? 'kustomize' : 'kubectl']: kustomizePath }
}
