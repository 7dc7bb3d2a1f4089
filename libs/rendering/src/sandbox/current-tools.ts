import { fileIdentity } from '@wadi/containment/file-identity.ts'
import { errorMessage, UnavailableError } from '@wadi/errors/domain-error.ts'
import { findTools, type FindToolsOptions, type Tool, type Tools } from './find-tools.ts'

/** How long a look at the files is good for, and how often a program is asked that hands over to another one. */
const lookMs = 1_000
const askMs = 30_000

/** The renderers of this machine as they are now: one whose program is replaced while the process runs is found again. */
export class CurrentTools {
  readonly #options: FindToolsOptions
  #tools: Tools
  #looked = performance.now()
  #asked = performance.now()
  #finding: Promise<Tools> | undefined

  private constructor(options: FindToolsOptions, tools: Tools) {
    // A program of PATH that is away for a moment must not be taken for one that is not installed.
    this.#options = { ...options, ...pathsOf(tools) }
    this.#tools = tools
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
    const tools = [this.#tools.helm, this.#tools.kustomize]
    const launches = tools.some(({ program }) => program?.launches !== undefined)
    return tools.some(isReplaced) || (launches && now - this.#asked >= askMs)
  }

  async #find(): Promise<Tools> {
    try {
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

/** Names the versions that render, for people and for comparison. */
export function toolsIdentity({ helm, kustomize }: Tools): string {
  return `helm ${helm.version}, kustomize ${kustomize.version}`
}

function isReplaced({ program }: Tool): boolean {
  return program !== undefined && fileIdentity(program.path) !== program.identity
}

function identityOf(tools: Tools): string {
  return [toolsIdentity(tools), tools.helm.program?.identity, tools.kustomize.program?.identity].join('\n')
}

function pathsOf({ helm, kustomize }: Tools): Pick<FindToolsOptions, 'helm' | 'kustomize' | 'kubectl'> {
  const [helmPath = ''] = helm.command
  const [kustomizePath = ''] = kustomize.command
  return { helm: helmPath, [kustomize.standalone ? 'kustomize' : 'kubectl']: kustomizePath }
}
