import { ConflictError } from '@wadi/errors/domain-error.ts'
import type { RenderTools } from '@wadi/rendering/plan/renderer.ts'
import { type CurrentTools, toolsIdentity } from '@wadi/renderer-tools/current-tools.ts'
import type { DefaultTools } from '@wadi/protocol/gen/wadi/repo_server/v1/repo_server_pb.ts'
import type { Tools } from '@wadi/renderer-tools/find-tools.ts'
import { toolPin, withDefaults } from '@wadi/renderer-tools/tool-pins.ts'
import { LRUCache } from 'lru-cache'

/** The renderers of this moment: the tools of this machine, of which one may be replaced at any time, plugins and commands. */
export class CurrentRenderers {
  readonly #given: RenderTools
  readonly #tools: CurrentTools | undefined
  #current: { readonly tools: Tools; readonly renderers: RenderTools } | undefined
  /** With other versions as default ones, each for the tools that it was made of. */
  readonly #withDefaults = new LRUCache<
    string,
    { readonly of: RenderTools; readonly made: Promise<RenderTools> }
  >({ max: 100 })

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
   * @param defaults versions that render what names none in git
   * @throws ConflictError when they are others now; InvalidInputError for a version that cannot be used
   */
  async ofVersions(versions = '', defaults?: DefaultTools): Promise<RenderTools> {
    const renderers = await this.now()
    const now = toolsIdentity(renderers)
    if (versions === '' || versions === now) return defaults ? this.#with(renderers, defaults) : renderers
    throw new ConflictError(`the renderers changed from ${versions} to ${now} meanwhile; try again`)
  }

  /** The same with versions that somebody wants. */
  async #with(renderers: RenderTools, wanted: DefaultTools): Promise<RenderTools> {
    const key = JSON.stringify(wanted)
    const known = this.#withDefaults.get(key)
    if (known?.of === renderers) return known.made
    const made = withWanted(renderers, wanted)
    this.#withDefaults.set(key, { of: renderers, made })
    made.catch(() => this.#withDefaults.delete(key))
    return made
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

async function withWanted(renderers: RenderTools, wanted: DefaultTools): Promise<RenderTools> {
  const { triedHelm, triedKustomize } = wanted
  const overSettings = {
    ...(triedHelm !== '' && { helm: toolPin(triedHelm, 'the version to try out') }),
    ...(triedKustomize !== '' && { kustomize: toolPin(triedKustomize, 'the version to try out') }),
  }
  const { helm, kustomize, mayDownload } = wanted
  const changed = await withDefaults(mayDownload ? { ...renderers, mayDownload } : renderers, {
    helm,
    kustomize,
  })
  return Object.keys(overSettings).length === 0 ? changed : { ...changed, overSettings }
}
