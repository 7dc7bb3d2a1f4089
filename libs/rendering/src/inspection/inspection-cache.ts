import { createHash } from 'node:crypto'
import { Reuse, type Results } from '@wadi/incremental/reuse.ts'
import type { FileTree } from '@wadi/file-trees/file-tree.ts'
import { buildVariables } from '../source/build-environment.ts'
import { ReadIds } from './grounds/read-ids.ts'
import { inspectSource } from './inspect-source.ts'
import type { SourceInspection } from './source-inspection.ts'
import type { RenderTools } from './render-tools.ts'
import type { RenderPolicy, RenderSource } from '../source/source.ts'

interface Known {
  readonly inspection: SourceInspection
  readonly variables: ReadonlyArray<readonly [name: string, value: string]>
}

/** Keeps the last inspection of every source, so that a source is inspected again only when something it depends on changed. */
export class InspectionCache {
  readonly #inspections: Results<string, Known>
  readonly #keys = new WeakMap<RenderSource, string>()
  readonly #ids = new ReadIds()

  /** @param capacity most sources that are known; the one unused for longest goes first */
  constructor(reuse = new Reuse(), capacity = 20_000) {
    this.#inspections = reuse.byKey(capacity)
  }

  /** The same as `inspectSource`, from memory if everything that the last inspection read is unchanged in `tree`. */
  async inspect(
    tree: FileTree,
    source: RenderSource,
    revision: string,
    tools: RenderTools,
    policy: RenderPolicy,
    signal?: AbortSignal,
  ): Promise<SourceInspection> {
    const key = await this.#key(source, tools, policy)
    const known = await this.#known(key, tree, source, revision)
    if (known !== undefined) return known
    const inspection = await inspectSource(tree, source, revision, tools, policy, signal)
    const values = buildVariables(source, revision)
    const variables = inspection.variables.map((name): [string, string] => [name, values.get(name) ?? ''])
    this.#inspections.set(key, { inspection, variables })
    return inspection
  }

  /** The last inspection of a source if everything that it read is unchanged in `tree`; undefined otherwise. */
  async recall(
    tree: FileTree,
    source: RenderSource,
    revision: string,
    tools: RenderTools,
    policy: RenderPolicy,
  ): Promise<SourceInspection | undefined> {
    return this.#known(await this.#key(source, tools, policy), tree, source, revision)
  }

  async #known(
    key: string,
    tree: FileTree,
    source: RenderSource,
    revision: string,
  ): Promise<SourceInspection | undefined> {
    const known = this.#inspections.get(key)
    if (known === undefined || !this.#sameVariables(known, source, revision)) return undefined
    return (await this.#ids.areSame(known.inspection.reads, tree))
      ? atRevision(known.inspection, revision)
      : undefined
  }

  async #key(source: RenderSource, tools: RenderTools, policy: RenderPolicy): Promise<string> {
    const reached = `${await tools.plugins.identity()} ${(await tools.commands?.identity()) ?? ''}`
    let key = this.#keys.get(source)
    if (key === undefined) {
      key = digest(JSON.stringify(source))
      this.#keys.set(source, key)
    }
    return digest(
      `${tools.helm.version} ${tools.kustomize.version} ${JSON.stringify(tools.overSettings)} ${policy.allowRemoteBases} ${policy.allowRemoteCharts} ${policy.kustomizeBuildOptions.join(' ')} ${policy.pluginTarExclude?.join(';') ?? ''} ${reached}\n${key}`,
    )
  }

  #sameVariables({ variables }: Known, source: RenderSource, revision: string): boolean {
    if (variables.length === 0) return true
    const now = buildVariables(source, revision)
    return variables.every(([name, value]) => now.get(name) === value)
  }
}

/** Thousands of sources are known, so that their whole texts would take megabytes. */
function digest(text: string): string {
  return createHash('sha256').update(text).digest('base64')
}

function atRevision(inspection: SourceInspection, revision: string): SourceInspection {
  const plan = inspection.plan.atRevision?.(revision)
  return plan === undefined ? inspection : { ...inspection, plan }
}
