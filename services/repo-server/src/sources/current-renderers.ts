import { ConflictError } from '@wadi/errors/domain-error.ts'
import type { RenderTools } from '@wadi/rendering/render-tools.ts'
import { type CurrentTools, toolsIdentity } from '@wadi/rendering/sandbox/current-tools.ts'
import type { Tools } from '@wadi/rendering/sandbox/find-tools.ts'

/** The renderers of this moment: the tools of this machine, of which one may be replaced at any time, plugins and commands. */
export class CurrentRenderers {
  readonly #given: RenderTools
  readonly #tools: CurrentTools | undefined
  #current: { readonly tools: Tools; readonly renderers: RenderTools } | undefined

  /** @param tools finds tools again that are replaced; without it they are those that are given for good */
  constructor(given: RenderTools, tools: CurrentTools | undefined) {
    this.#given = given
    this.#tools = tools
  }

  /** @throws UnavailableError when a tool that was replaced cannot be used */
  async now(): Promise<RenderTools> {
    const tools = await this.#tools?.now()
    if (tools === undefined) return this.#given
    if (this.#current?.tools !== tools) this.#current = { tools, renderers: { ...this.#given, ...tools } }
    return this.#current.renderers
  }

  /** The versions of the tools. */
  async versions(): Promise<string> {
    return toolsIdentity(await this.now())
  }

  /**
   * The same, of versions that a caller counts on.
   * @param versions as `versions` returned them; empty for any
   * @throws ConflictError when they are others now
   */
  async ofVersions(versions = ''): Promise<RenderTools> {
    const renderers = await this.now()
    const now = toolsIdentity(renderers)
    if (versions === '' || versions === now) return renderers
    throw new ConflictError(`the renderers changed from ${versions} to ${now} meanwhile; try again`)
  }

  /** Has the next use look again, as a render met another program. */
  doubt(): void {
    this.#tools?.doubt()
  }

  /** Identifies all of them and what they may do. */
  async identity(): Promise<string> {
    const renderers = await this.now()
    const { plugins, commands } = renderers
    const run = commands === undefined ? 'none' : await commands.identity()
    return `${toolsIdentity(renderers)}, plugins ${await plugins.identity()}, commands ${run}`
  }
}
