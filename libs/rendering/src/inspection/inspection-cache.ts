import { createHash } from 'node:crypto'
import { Reuse } from '@wadi/incremental/reuse.ts'
import { TracedStore } from '@wadi/incremental/traced-store.ts'
import type { FileTree } from '@wadi/file-trees/file-tree.ts'
import { buildVariables } from '../source/build-environment.ts'
import { inspectSource } from './inspect-source.ts'
import type { SourceInspection } from './source-inspection.ts'
import type { RenderTools } from '../plan/renderer.ts'
import type { RenderPolicy, RenderSource } from '../source/source.ts'

/** Keeps the last inspection of every source, so that a source is inspected again only when something it depends on changed. */
export class InspectionCache {
  readonly #inspections: TracedStore<SourceInspection>
  readonly #keys = new WeakMap<RenderSource, string>()

  /** @param capacity most sources that are known; the one unused for longest goes first */
  constructor(reuse = new Reuse(), capacity = 20_000) {
    this.#inspections = new TracedStore(reuse.byKey(capacity))
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
    const { reads } = inspection
    const identity = variablesOf(inspection, source, revision)
    this.#inspections.put(key, { value: inspection, reads, identity })
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
    const known = await this.#inspections.find(key, tree, (inspection) =>
      variablesOf(inspection, source, revision),
    )
    return known && atRevision(known, revision)
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
}

/** The build variables that decide an inspection, with their values at a revision. */
function variablesOf({ variables }: SourceInspection, source: RenderSource, revision: string): string {
  if (variables.length === 0) return ''
  const values = buildVariables(source, revision)
  return variables.map((name) => `${name}=${values.get(name) ?? ''}`).join('\n')
}

/** Thousands of sources are known, so that their whole texts would take megabytes. */
function digest(text: string): string {
  return createHash('sha256').update(text).digest('base64')
}

function atRevision(inspection: SourceInspection, revision: string): SourceInspection {
  const plan = inspection.plan.atRevision?.(revision)
  return plan === undefined ? inspection : { ...inspection, plan }
}
