import { create } from '@bufbuild/protobuf'
import type { CheckedObjects } from '@wadi/gates/checked-objects.ts'
import type { Finding } from '@wadi/gates/finding.ts'
import type { GateCheck } from '@wadi/gates/run-gates.ts'
import type { GateThreads } from '@wadi/gates/threads/gate-threads.ts'
import {
  type Finding as FindingMessage,
  FindingSchema,
  type Gates,
} from '@wadi/protocol/gen/wadi/gates/v1/gates_pb.ts'
import type { Source } from '@wadi/protocol/gen/wadi/repo_server/v1/repo_server_pb.ts'
import type { Rendered } from '@wadi/rendering/run/render-run.ts'
import type { SourceInspection } from '@wadi/rendering/inspection/source-inspection.ts'
import type { RenderSource } from '@wadi/rendering/source/source.ts'
import { ownKey } from './own-key.ts'
import type { RenderChanges } from './render-changes.ts'
import type { SourceGates } from './source-gates.ts'
import type { DrySource, Inspected, SourceRenderer } from './source-renderer.ts'

/** A source of a commit and the gates that the request asks for; none by default. */
export interface GatedSource extends DrySource {
  readonly gates?: Gates | undefined
}

/** The inspection of a source, and what gates found in its objects when it was rendered. */
interface GatedInspection extends Inspected {
  readonly findings: readonly FindingMessage[]
  /** True if a waiver may expire. */
  readonly dependsOnDay: boolean
}

/**
 * Renders sources, and runs the gates that are on for a source on its objects, after the cache of renders: other settings of gates check all
 * objects again, and render none. A source without gates is as if there were none.
 */
export class GatedRenderer implements AsyncDisposable {
  readonly #renderer: SourceRenderer
  readonly #today: () => string
  #threads: Promise<GateThreads> | undefined

  /** @param today the day in UTC, `YYYY-MM-DD` */
  constructor(renderer: SourceRenderer, today = () => new Date().toISOString().slice(0, 10)) {
    this.#renderer = renderer
    this.#today = today
  }

  get changes(): RenderChanges {
    return this.#renderer.changes
  }

  /** The day in UTC, on which it depends which waivers have expired. */
  today(): string {
    return this.#today()
  }

  identity(): Promise<string> {
    return this.#renderer.identity()
  }

  readSource(repoUrl: string, request: Source): RenderSource {
    return this.#renderer.readSource(repoUrl, request)
  }

  /** Returns what `inspect` of the renderer does, with what gates found in the result if it was rendered before. */
  async inspect(dry: GatedSource, signal: AbortSignal): Promise<GatedInspection> {
    const inspected = await this.#renderer.inspect(dry, signal)
    const gated = await this.#gatesOf(dry, inspected.inspection, inspected.fingerprint)
    if (gated === undefined) return { ...inspected, findings: [], dependsOnDay: false }
    const { check, fingerprint, paths } = gated
    const key = ownKey(dry, fingerprint)
    const checked = await this.#renderer.facts.checked.find(key)
    return {
      ...inspected,
      fingerprint,
      keys: [...inspected.keys, key, ...paths],
      warnings: [...inspected.warnings, ...(await warningsOf(checked))],
      findings: messagesOf(checked),
      dependsOnDay: check.waivers.length > 0,
    }
  }

  /**
   * Renders a source as the renderer does, and checks its objects unless they were checked before; a fresh render is checked afresh.
   * @throws DeniedError with all findings if one is denied, ResourceExhaustedError for a check that takes too much, beside what the renderer throws
   */
  async render(
    dry: GatedSource,
    fresh: boolean,
    signal: AbortSignal,
  ): Promise<Rendered & { fingerprint: string }> {
    const rendered = await this.#renderer.render(dry, fresh, signal)
    if (dry.gates === undefined) return rendered
    const { inspection } = await this.#renderer.inspect(dry, signal)
    const gated = await this.#gatesOf(dry, inspection, rendered.fingerprint)
    if (gated === undefined) return rendered
    const { check, fingerprint } = gated
    const { checked: facts } = this.#renderer.facts
    const key = ownKey(dry, fingerprint)
    const known = fresh ? undefined : await facts.find(key)
    const checked =
      known ??
      (await this.#run(dry, { manifests: rendered.manifests, inputs: inspection.inputs, check }, signal))
    await facts.record(key, checked)
    if (checked.denied > 0) {
      const { deniedError } = await import('./finding-text.ts')
      throw deniedError(checked, messagesOf(checked))
    }
    const { record } = rendered
    const warnings = [...record.warnings, ...(await warningsOf(checked))]
    const found = { findings: messagesOf(checked), findingsLeftOut: checked.leftOut }
    return { ...rendered, fingerprint, record: { ...record, warnings, ...found } }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await (await this.#threads)?.[Symbol.asyncDispose]()
  }

  async #gatesOf(
    { gates, ...dry }: GatedSource,
    inspection: SourceInspection,
    fingerprint: string,
  ): Promise<SourceGates | undefined> {
    if (gates === undefined) return undefined
    const named = Object.keys(inspection.gates.gates).length + gates.severities.length
    if (named === 0) return undefined
    const { sourceGates } = await import('./source-gates.ts')
    return sourceGates(gates, { ...dry, inspection, fingerprint, today: this.#today() })
  }

  async #run(
    { tree }: DrySource,
    {
      manifests,
      inputs,
      check,
    }: { manifests: readonly string[]; inputs: readonly string[]; check: GateCheck },
    signal: AbortSignal,
  ): Promise<CheckedObjects> {
    const threads = await (this.#threads ??= openThreads())
    const { findings, expired, ...counts } = await threads.check(manifests, check, signal)
    if (findings.length === 0) return { findings: expired, ...counts }
    const { readTexts } = await import('@wadi/gates/value-places.ts')
    const texts = await readTexts(tree, inputs)
    const places = await threads.place(
      texts,
      findings.map(({ written }) => written),
      signal,
    )
    const placed = findings.map(({ written: _secret, ...finding }, index): Finding => ({
      ...finding,
      at: finding.at ?? places[index],
    }))
    return { findings: [...placed, ...expired], ...counts }
  }
}

async function openThreads(): Promise<GateThreads> {
  const { GateThreads } = await import('@wadi/gates/threads/gate-threads.ts')
  return new GateThreads()
}

function messagesOf(checked: CheckedObjects | undefined): FindingMessage[] {
  return (checked?.findings ?? []).map(({ at, object, ...finding }) =>
    create(FindingSchema, {
      ...finding,
      ...(object.kind !== '' && { object }),
      ...(at && { place: { file: at.file, line: at.line ?? 0 } }),
    }),
  )
}

/** Lines move, so a warning does not name its place: it would be another one. */
async function warningsOf(checked: CheckedObjects | undefined): Promise<string[]> {
  const found = (checked?.findings ?? []).filter(({ severity }) => severity === 'warn')
  if (found.length === 0) return []
  const { findingText } = await import('./finding-text.ts')
  return found.map(findingText)
}
