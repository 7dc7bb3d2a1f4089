import type { Location } from '@wadi/errors/location.ts'
import type { Finding } from '../lint/finding.ts'
import { checkValue, checkVariable } from '../actions/preflight.ts'
import { type Markers, refuseMarkers, replaceMarkers, stateMarkers } from '../templates/markers.ts'
import {
  parsePackageTemplate,
  type ParsedTemplate,
  renderPackageTemplate,
} from '../templates/package-template.ts'
import { objectsText, valuesText, variablesText } from '../templates/template-objects.ts'
import { spendText } from '../templates/template-runner.ts'
import type { TemplateRunner } from '../templates/template-runner.ts'
import { variableMarkers } from '../templates/variables.ts'
import type { Planning } from './planning.ts'

/** A text of a component that is to be rendered. */
interface ComponentText {
  text: string
  /** The name of the template in Go's messages. */
  name: string
  /** The name of the text, `component "c" manifest "m"`. */
  consumer: string
  /** The work that fails with the template, for messages. */
  failure: string
  at: Location
  isTemplate: boolean
}

/** Renders texts of a component with the values and variables as they are when it is made. */
export class ComponentTexts {
  readonly #planning: Planning
  readonly #component: string
  readonly #markers: Markers
  readonly #set: Pick<Planning, 'variables' | 'values'>
  #objects: string | undefined

  constructor(planning: Planning, component: string) {
    const { variables, values } = planning
    this.#planning = planning
    this.#component = component
    this.#markers = new Map([
      ...stateMarkers(planning.state, component),
      ...variableMarkers(variables, 'VAR'),
      ...variableMarkers(planning.constants, 'CONST'),
    ])
    this.#set = { variables, values }
  }

  /** Replaces markers alone. */
  mark(text: string, consumer: string, at: Location, findings: Finding[] = this.#planning.findings): string {
    const planning = this.#planning
    const marked = replaceMarkers(text, this.#markers, at.file)
    refuseMarkers(marked, this.#component, at, findings)
    for (const [name, line] of marked.names) {
      planning.usesState ||= this.#markers.get(name)?.isState === true
      if (!name.startsWith('VAR_')) continue
      const place = at.line === undefined ? { ...at, line } : at
      checkVariable(planning.preflight, this.#set.variables, name.slice(4), consumer, place)
    }
    return marked.text
  }

  /**
   * Replaces markers, then renders the text if it is a template. Undefined after a failure, of which there is a finding.
   * Findings and runner are those of the planning, if none are given.
   */
  async render(
    text: ComponentText,
    findings: Finding[] = this.#planning.findings,
    runner: TemplateRunner = this.#planning.runner,
  ): Promise<string | undefined> {
    spendText(runner)
    const marked = this.mark(text.text, text.consumer, text.at, findings)
    if (!text.isTemplate) return marked
    const template = await parsePackageTemplate(runner, { ...text, text: marked }, findings)
    if (template === undefined) return undefined
    const undefinedValues: Finding[] = []
    if (this.#waitsForActions(text, template.fields, undefinedValues)) {
      findings.push(...undefinedValues)
      return undefined
    }
    const failures: Finding[] = []
    const seesPackage = this.#planning.fixed.package !== undefined
    const objects = this.#templateObjects()
    const rendered = await renderPackageTemplate(runner, template, objects, failures, seesPackage)
    findings.push(...joinFailures(undefinedValues, failures))
    return undefinedValues.length > 0 ? undefined : rendered
  }

  /**
   * Returns true if a template reads what an action that is not run would set; values that nothing sets are added to
   * `undefinedValues`.
   */
  #waitsForActions(
    { at: start, consumer }: ComponentText,
    fields: ParsedTemplate['fields'],
    undefinedValues: Finding[],
  ): boolean {
    const { preflight } = this.#planning
    const { variables, values } = this.#set
    let waits = false
    for (const { path, line, column } of fields) {
      const [object, ...rest] = path
      const at = start.line === undefined ? { ...start, line, column } : start
      this.#planning.usesState ||= object === 'State'
      if (object === 'Values' && rest.length > 0) {
        waits = checkValue(preflight, values.tree, rest, consumer, at, undefinedValues) || waits
      } else if (object === 'Variables' && rest[0] !== undefined) {
        waits = checkVariable(preflight, variables, rest[0], consumer, at) || waits
      }
    }
    return waits
  }

  /** The same for all templates, so they become JSON once. */
  #templateObjects(): string {
    const { variables, values } = this.#set
    this.#objects ??= objectsText({
      ...this.#planning.fixed,
      values: valuesText(values.tree),
      variables: variablesText(variables),
    })
    return this.#objects
  }
}

/** Adds Go's own message to the finding about the same missing value. */
function joinFailures(undefinedValues: readonly Finding[], failures: readonly Finding[]): Finding[] {
  const [failure] = failures
  const same = undefinedValues.find(
    ({ path, at }) => path !== undefined && path === failure?.path && at?.line === failure.at?.line,
  )
  if (failure === undefined || same === undefined) {
    return [...undefinedValues, ...failures]
  }
  const joined = { ...same, message: `${same.message}: ${failure.message}` }
  return undefinedValues.map((finding) => (finding === same ? joined : finding))
}
