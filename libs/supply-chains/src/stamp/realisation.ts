import { InvalidInputError } from '@wadi/errors/domain-error.ts'
import { someInLine } from '@wadi/errors/some-of.ts'
import { partAt } from '@wadi/params/values/located.ts'
import type { Resolution } from '@wadi/params/resolve/resolve.ts'
import type { Located } from '@wadi/params/values/value.ts'
import { blueprintWord } from '../read/cartographer-objects.ts'
import type { Blueprint, BlueprintResource, Template } from '../read/cartographer-objects.ts'
import { Findings, placeOf } from '../findings.ts'
import { finishObject, objectFindings } from './finish-object.ts'
import { ignoredParamWarnings } from '../params/param-warnings.ts'
import type { RecordedOutputs } from './recorded-outputs.ts'
import { passedThrough } from './pass-through.ts'
import { isRender } from './render-object.ts'
import { WithheldOutput, outputsOfFailed, readOutputs } from './resource-outputs.ts'
import type { OutputInputs, ResourceOutputs } from './resource-outputs.ts'
import { resolveResourceParams } from '../params/resource-params.ts'
import type { DecidedParam } from '../params/resource-params.ts'
import { selectOption } from '../select/select-blueprint.ts'
import type { StampBudget } from './stamp-budget.ts'
import type { StampInput, Stamped, StampedObject } from './stamping.ts'
import { stampTemplate } from './stamp-template.ts'
import type { StampFinding } from './stamp-template.ts'
import { stampLabels } from './stamp-labels.ts'
import { tagHint } from '../params/tag-hint.ts'
import { templatingContext } from './templating-context.ts'
import type { PathSubject } from '../paths/json-path.ts'

/** Tags that the message of a missing output lists. */
const maxNeeds = 5

/** Stamps the resources of a chain for one owner, one after the other, and gathers what comes of it. */
export class Realisation {
  readonly #input: StampInput
  readonly #blueprint: Blueprint
  readonly #templates: ReadonlyMap<string, Template>
  readonly #recorded: RecordedOutputs
  readonly #budget: StampBudget
  readonly #findings = new Findings()
  readonly #missing = new Map<WithheldOutput, string[]>()
  readonly #outputs = new Map<string, ResourceOutputs>()
  readonly #objects: StampedObject[] = []
  readonly #warnings: string[] = []
  readonly #params = new Map<string, Resolution>()
  readonly #decidedParams = new Map<string, readonly DecidedParam[]>()

  constructor(input: StampInput, blueprint: Blueprint, budget: StampBudget) {
    this.#input = input
    this.#blueprint = blueprint
    this.#budget = budget
    this.#templates = new Map(
      input.templates.map((template) => [templateKey(template.kind, template.name), template]),
    )
    this.#recorded = input.recordedOutputs ?? {
      file: outputsFileOf(input.owner.at.file),
      byResource: new Map(),
    }
  }

  /** Stamps a resource; errors are reported at the end. */
  async realise(resource: BlueprintResource): Promise<void> {
    const inputs: OutputInputs = { blueprint: this.#blueprint, resource, recorded: this.#recorded }
    const outputs = await this.#outputsOf(resource, inputs)
    this.#outputs.set(resource.name, outputs ?? outputsOfFailed(inputs))
  }

  /**
   * Returns what the resources have become.
   *
   * @throws InvalidInputError with all findings.
   */
  finish(): Stamped {
    const { owner } = this.#input
    for (const [output, needs] of this.#missing) {
      this.#findings.add(output.at ?? owner.at, `${output.message}; needed by ${someInLine(needs, maxNeeds)}`)
    }
    this.#findings.throwAll()
    return {
      objects: this.#objects,
      warnings: [...ignoredParamWarnings(owner, this.#blueprint, this.#decidedParams), ...this.#warnings],
      params: this.#params,
      blueprint: this.#blueprint,
    }
  }

  /** Returns undefined after noting why there are none. */
  async #outputsOf(resource: BlueprintResource, inputs: OutputInputs): Promise<ResourceOutputs | undefined> {
    const { owner } = this.#input
    const chosen = this.#chooseTemplate(resource)
    if (chosen === undefined) return undefined
    if ('passThrough' in chosen) return passedThrough(chosen.passThrough, inputs, this.#outputs)
    const { template } = chosen
    if (!template.findings.isEmpty) {
      this.#findings.addAll(template.findings)
      return undefined
    }
    const { resolution, decided } = resolveResourceParams({
      owner,
      trialParams: this.#input.trialParams ?? [],
      blueprint: this.#blueprint,
      resource,
      templateParams: template.params,
    })
    this.#budget.spendParams(resolution.tree)
    this.#params.set(resource.name, resolution)
    this.#decidedParams.set(resource.name, decided)
    const labels = stampLabels(owner, this.#blueprint, resource, template)
    const subject = templatingContext({ owner, resource, params: resolution, outputs: this.#outputs, labels })
    const result = await stampTemplate(template, subject, this.#budget, this.#input.runYtt)
    if ('findings' in result) {
      for (const finding of result.findings) this.#noteFinding(finding, resource, template, subject)
      return undefined
    }
    const findings = objectFindings(result.object, owner.namespace)
    for (const message of findings)
      this.#findings.add(result.object.at, `${this.#unable(resource, template)}: ${message}`)
    if (findings.length > 0) return undefined
    const located = finishObject(result.object, { namespace: owner.namespace, labels })
    this.#emit(located, resource, template)
    if (template.kind !== 'ClusterDeploymentTemplate') return readOutputs(template, located, inputs)
    return this.#outputs.get(resource.deployment ?? '') ?? new Map()
  }

  #chooseTemplate(resource: BlueprintResource): { template: Template } | { passThrough: string } | undefined {
    const { owner } = this.#input
    try {
      const option = selectOption(owner, resource, this.#blueprint, this.#budget)
      if (option !== undefined && option.passThrough !== '') return { passThrough: option.passThrough }
      const name = option?.name ?? resource.templateName
      const template = this.#templates.get(templateKey(resource.templateKind, name))
      if (template !== undefined) return { template }
      const where = `resource [${resource.name}] in ${blueprintWord(this.#blueprint)} [${this.#blueprint.name}]`
      this.#findings.add(
        resource.at,
        `unable to get template [${name}] for ${where}: there is no ${resource.templateKind} of that name among the operators' objects`,
      )
    } catch (error) {
      if (!(error instanceof InvalidInputError)) throw error
      this.#findings.add(resource.at, error.message)
    }
    return undefined
  }

  #emit(located: Located, resource: BlueprintResource, template: Template): void {
    if (!template.isEmitted) return
    const { kind, name } = template
    this.#objects.push({ located, resource: resource.name, template: { kind, name } })
    if (partAt(located, ['metadata', 'name']) === undefined && !isRender(located)) {
      const place = placeOf(partAt(located, ['metadata', 'generateName'])?.at ?? located.at)
      this.#warnings.push(
        `template [${kind}/${name}] stamps an object with generateName and without name, which Argo CD cannot prune (${place}): give it a metadata.name`,
      )
    }
  }

  #noteFinding(
    finding: StampFinding,
    resource: BlueprintResource,
    template: Template,
    subject: PathSubject,
  ): void {
    const { tag, cause } = finding
    if (cause instanceof WithheldOutput) {
      // An output of a resource that has failed is a consequence of an error that is reported already.
      if (cause.at === undefined) return
      const need = `resource [${resource.name}] in $(${tag})$ (${placeOf(finding.at)})`
      this.#missing.set(cause, [...(this.#missing.get(cause) ?? []), need])
      return
    }
    const place = { subject, owner: this.#input.owner, blueprint: this.#blueprint, resource }
    const hint = tag !== undefined && cause?.isMissing === true ? tagHint(tag, place) : ''
    this.#findings.add(finding.at, `${this.#unable(resource, template)}: ${finding.message}${hint}`)
  }

  #unable(resource: BlueprintResource, template: Template): string {
    return `unable to stamp object for resource [${resource.name}] for template [${template.kind}/${template.name}] in ${blueprintWord(this.#blueprint)} [${this.#blueprint.name}]`
  }
}

function templateKey(kind: string, name: string): string {
  return `${kind}/${name}`
}

/** Returns where the outputs are recorded that an owner's resources need. */
function outputsFileOf(ownerFile: string): string {
  return ownerFile.replace(/[^/]*$/, 'outputs.yaml')
}
