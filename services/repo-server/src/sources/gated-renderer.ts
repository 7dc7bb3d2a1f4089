import type { CheckedObjects } from '@wadi/gates/checked-objects.ts'
import type { UnplacedFinding } from '@wadi/gates/finding.ts'
import type { CheckAnswer } from '@wadi/gates/threads/gate-job.ts'
import type { GateThreads } from '@wadi/gates/threads/gate-threads.ts'
import type { Finding as FindingMessage, Gates } from '@wadi/protocol/gen/wadi/gates/v1/gates_pb.ts'
import type { Source } from '@wadi/protocol/gen/wadi/repo_server/v1/repo_server_pb.ts'
import type { Rendered } from '@wadi/rendering/run/render-run.ts'
import { extendedFingerprint, type SourceInspection } from '@wadi/rendering/inspection/source-inspection.ts'
import type { RenderSource } from '@wadi/rendering/source/source.ts'
import type { Validators } from '../validators/validators.ts'
import { ownKey } from './own-key.ts'
import type { RenderChanges } from './render-changes.ts'
import type { PolicySets, SourceGates } from './source-gates.ts'
import type { DrySource, Inspected, SourceRenderer } from './source-renderer.ts'

/** A source of a commit and the gates that the request asks for; none by default. */
export interface GatedSource extends DrySource {
  readonly gates?: Gates | undefined
  /** The policies of the operator and of clusters that `gates` names, for a render. */
  readonly policySets?: PolicySets | undefined
}

/** The inspection of a source, and what gates found in its objects when it was rendered. */
interface GatedInspection extends Inspected {
  readonly findings: readonly FindingMessage[]
  /** Those that waivers cover. */
  readonly covered: readonly FindingMessage[]
  /** True if a waiver may expire. */
  readonly dependsOnDay: boolean
  /** True if a render is to be given the objects that the hydrated branch holds. */
  readonly wantsFormer: boolean
  /** True if a render is to be given the definitions that other directories of the branch have. */
  readonly wantsDefinitions: boolean
}

/** Extends the fingerprint of what has to be checked, whatever the hydrated branch was made from. */
const notChecked = 'not checked by the waivers of today'

/** The gates of a source, and the key of the findings that hold for it as it is on its hydrated branch. */
interface Gated extends SourceGates {
  readonly wantsFormer: boolean
  readonly wantsDefinitions: boolean
  readonly key: string
  /** The key of the findings by all that the render is given, whichever Application it is for. */
  readonly givenKey: string
}

/**
 * Renders sources, and runs the gates that are on for a source on its objects, after the cache of renders: other settings of gates check all
 * objects again, and render none. A source without gates is as if there were none.
 */
export class GatedRenderer implements AsyncDisposable {
  readonly #renderer: SourceRenderer
  readonly #today: () => string
  readonly #validators: Validators | undefined
  #threads: Promise<GateThreads> | undefined

  /**
   * @param today the day in UTC, `YYYY-MM-DD`
   * @param validators the programs that gates may name; default: none
   */
  constructor(
    renderer: SourceRenderer,
    today = () => new Date().toISOString().slice(0, 10),
    validators?: Validators,
  ) {
    this.#renderer = renderer
    this.#today = today
    this.#validators = validators
  }

  get changes(): RenderChanges {
    return this.#renderer.changes
  }

  /** The day in UTC, on which it depends which waivers have expired. */
  today(): string {
    return this.#today()
  }

  async identity(): Promise<string> {
    const programs = (await this.#validators?.identity()) ?? ''
    return `${await this.#renderer.identity()}${programs === '' ? '' : `, programs ${programs}`}`
  }

  readSource(repoUrl: string, request: Source): RenderSource {
    return this.#renderer.readSource(repoUrl, request)
  }

  /** Returns what `inspect` of the renderer does, with what gates found in the result if it was rendered before. */
  async inspect(dry: GatedSource, signal: AbortSignal): Promise<GatedInspection> {
    const inspected = await this.#renderer.inspect(dry, signal)
    const gated = await this.#gatesOf(dry, inspected, signal)
    const nothing = {
      findings: [],
      covered: [],
      dependsOnDay: false,
      wantsFormer: false,
      wantsDefinitions: false,
    }
    if (gated === undefined) return { ...inspected, ...nothing }
    const { messagesOf, warningsOf } = await import('./found-messages.ts')
    const { check, fingerprint, paths, key, wantsFormer, wantsDefinitions } = gated
    const checked = await this.#renderer.facts.checked.find(key)
    return {
      ...inspected,
      fingerprint: this.#isMissed(gated, checked)
        ? extendedFingerprint(fingerprint, notChecked)
        : fingerprint,
      keys: [...inspected.keys, key, ...paths],
      warnings: [...inspected.warnings, ...(await warningsOf(checked))],
      findings: messagesOf(checked?.findings),
      covered: messagesOf(checked?.covered),
      dependsOnDay: check.waivers.length > 0 || checked?.lastDay !== undefined,
      wantsFormer,
      wantsDefinitions,
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
  ): Promise<Rendered & { fingerprint: string; cached: boolean }> {
    const rendered = await this.#renderer.render(dry, fresh, signal)
    if (dry.gates === undefined) return rendered
    const { inspection } = await this.#renderer.inspect(dry, signal)
    const gated = await this.#gatesOf(dry, { inspection, fingerprint: rendered.fingerprint }, signal)
    if (gated === undefined) return rendered
    const { messagesOf, warningsOf } = await import('./found-messages.ts')
    const { fingerprint, key, run } = gated
    const checked = await this.#check({ ...dry, gated, fresh }, { rendered, inspection }, signal)
    if (checked.denied > 0) {
      const { deniedError } = await import('./finding-text.ts')
      throw deniedError(checked, {
        findings: messagesOf(checked.findings),
        coveredFindings: messagesOf(checked.covered),
      })
    }
    await this.#renderer.facts.checked.record(key, checked)
    const { record } = rendered
    const warnings = [...record.warnings, ...(await warningsOf(checked))]
    const found = {
      findings: messagesOf(checked.findings),
      coveredFindings: messagesOf(checked.covered),
      findingsLeftOut: checked.leftOut,
      gateRuns: [run],
    }
    return { ...rendered, fingerprint, record: { ...record, warnings, ...found } }
  }

  /** True if a waiver in an annotation may have expired without a check since. */
  #isMissed({ check }: Gated, checked: CheckedObjects | undefined): boolean {
    return check.acceptsAnnotations && (checked === undefined || this.#isOutdated(checked))
  }

  #isOutdated({ lastDay }: CheckedObjects): boolean {
    return lastDay !== undefined && lastDay < this.#today()
  }

  /** Returns what was found by the waivers of today; undefined if it is not known. */
  async #current(key: string): Promise<CheckedObjects | undefined> {
    const checked = await this.#renderer.facts.checked.find(key)
    return checked && this.#isOutdated(checked) ? undefined : checked
  }

  #open(): Promise<GateThreads> {
    return (this.#threads ??= import('@wadi/gates/threads/gate-threads.ts').then(
      ({ GateThreads }) => new GateThreads(),
    ))
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await (await this.#threads)?.[Symbol.asyncDispose]()
  }

  async #gatesOf(
    { gates, ...dry }: GatedSource,
    { inspection, fingerprint }: Pick<Inspected, 'inspection' | 'fingerprint'>,
    signal: AbortSignal,
  ): Promise<Gated | undefined> {
    if (gates === undefined) return undefined
    const named = Object.keys(inspection.gates.gates).length + gates.severities.length
    if (named === 0) return undefined
    const { sourceGates } = await import('./source-gates.ts')
    const programsId = (await this.#validators?.identityOf(gates.programs)) ?? ''
    const source = { ...dry, inspection, fingerprint, programsId, today: this.#today() }
    const found = await sourceGates(gates, source)
    if (found === undefined) return undefined
    const wantsFormer = gates.policiesWantFormer || (await this.#wantsFormer(found, signal))
    const wantsDefinitions = found.check.severities.schemas !== undefined
    // What is found depends on the branch, which an Application has one of.
    const { name, project } = dry.source.instance
    const own = extendedFingerprint(found.fingerprint, JSON.stringify([name, project]))
    const given = wantsFormer ? extendedFingerprint(own, gates.former) : found.fingerprint
    const ids = wantsDefinitions ? gates.branchDefinitionIds : []
    return {
      ...found,
      wantsFormer,
      wantsDefinitions,
      key: ownKey(dry, wantsFormer || wantsDefinitions ? own : found.fingerprint),
      givenKey: ownKey(dry, ids.length === 0 ? given : extendedFingerprint(given, ids.join(' '))),
    }
  }

  async #wantsFormer({ check, policiesId }: SourceGates, signal: AbortSignal): Promise<boolean> {
    const { policies = [] } = check.context
    if (policies.length === 0) return false
    const { formerWanted } = this.#renderer.facts
    const known = formerWanted.get(policiesId)
    if (known !== undefined) return known
    const threads = await this.#open()
    const found = await threads.wantsFormer(policies, signal)
    formerWanted.set(policiesId, found)
    return found
  }

  /**
   * Checks what was rendered, once for equal former objects. What the branch holds already was found when it came there, by equal policies and
   * programs; a fresh check judges it, too.
   */
  async #check(
    dry: GatedSource & { readonly gated: Gated; readonly fresh: boolean },
    { rendered, inspection }: { rendered: Rendered; inspection: SourceInspection },
    signal: AbortSignal,
  ): Promise<CheckedObjects> {
    const { gated, fresh, gates } = dry
    const { requirePolicies } = await import('./source-gates.ts')
    requirePolicies(gated.check)
    const { check, key, givenKey, wantsFormer } = gated
    const { checked: facts } = this.#renderer.facts
    const former = wantsFormer ? (gates?.former ?? '') : ''
    const known = fresh ? undefined : await this.#current(givenKey)
    if (known) return known
    const threads = await this.#open()
    const objects = { manifests: rendered.manifests, former }
    const { warnings, objectWaivers, isUnchanged, ...ran } = await threads.check(objects, check, signal)
    const isDefined = gates !== undefined && gates.branchDefinitionIds.length > 0
    const held = isUnchanged && !fresh && !isDefined ? await this.#current(key) : undefined
    if (held) {
      await facts.record(givenKey, held)
      return held
    }
    const all = await this.#withPrograms(
      { ...dry, manifests: rendered.manifests, ran, objectWaivers },
      signal,
    )
    const { findings, covered } = all
    const unplaced = [...findings, ...covered]
    const { placedFindings } = await import('./placed-findings.ts')
    const source = { tree: dry.tree, inspection, rendered }
    const placed = unplaced.length === 0 ? [] : await placedFindings(threads, source, unplaced, signal)
    const checked = {
      ...all,
      findings: [...placed.slice(0, findings.length), ...warnings],
      covered: placed.slice(findings.length),
    }
    await facts.record(givenKey, checked)
    return checked
  }

  /** Adds what the programs of the operator find. */
  async #withPrograms(
    { gates, gated: { check }, ran, manifests, objectWaivers }: ProgramRun,
    signal: AbortSignal,
  ): Promise<CheckedObjects<UnplacedFinding>> {
    const severity = check.severities.programs
    if (severity === undefined || severity === 'off' || gates === undefined) return ran
    const programs = { names: gates.programs, severity }
    const validators = this.#validators ?? (await import('../validators/validators.ts')).noValidators
    const violations = await validators.check(manifests, programs, signal)
    const { applyWaivers } = await import('@wadi/gates/apply-waivers.ts')
    const { withFindings } = await import('@wadi/gates/checked-objects.ts')
    return withFindings(ran, applyWaivers(violations, check, objectWaivers))
  }
}

/** Objects that programs judge after the gates. */
interface ProgramRun extends Pick<CheckAnswer, 'objectWaivers'> {
  readonly gates?: Gates | undefined
  readonly gated: Gated
  readonly ran: CheckedObjects<UnplacedFinding>
  readonly manifests: readonly string[]
}
