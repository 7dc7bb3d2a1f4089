import type { Location } from '@wadi/errors/location.ts'
import type { Layer } from '@wadi/params/resolve/layer.ts'
import type { Resolution } from '@wadi/params/resolve/resolve.ts'
import type { ValueMap } from '@wadi/params/values/value.ts'
import type { Budget, Finding } from '../lint/finding.ts'
import { refuseMarkers, replaceMarkers, stateMarkers } from '../templates/markers.ts'
import type { Markers } from '../templates/markers.ts'
import type { PackageFiles } from '../definition/package-files.ts'
import { parsePackageTemplate, renderPackageTemplate } from '../templates/package-template.ts'
import type { PackageSchema } from '../values/package-values.ts'
import { checkValue, checkVariable } from '../actions/preflight.ts'
import type { Preflight } from '../actions/preflight.ts'
import { objectsText, valuesText, variablesText } from '../templates/template-objects.ts'
import type { TemplateObjects } from '../templates/template-objects.ts'
import { spendText } from '../templates/template-runner.ts'
import type { TemplateRunner } from '../templates/template-runner.ts'
import { variableMarkers } from '../templates/variables.ts'
import type { ResolvedVariables } from '../templates/variables.ts'
import type { ZarfPackage } from '../definition/zarf-package.ts'

/** A package while it is planned. What actions set becomes visible to everything after them. */
export interface Planning {
  readonly files: PackageFiles
  readonly runner: TemplateRunner
  readonly package: ZarfPackage
  readonly findings: Finding[]
  readonly schema: PackageSchema | undefined
  readonly state: ValueMap
  readonly constants: ResolvedVariables
  /** JSON of the parts that stay the same. */
  readonly fixed: Pick<TemplateObjects, 'constants' | 'state' | 'package'>
  readonly preflight: Preflight
  /** How many parts of values may still be mapped to charts. */
  readonly mapped: Budget
  /** Whether anything stood in for the state of a cluster. */
  usesState: boolean
  variables: ResolvedVariables
  layers: readonly Layer[]
  values: Resolution
}

/** A text of a component that is to be rendered. */
interface ComponentText {
  text: string
  /** What Go calls the template in its messages. */
  name: string
  /** What the text is, `component "c" manifest "m"`. */
  consumer: string
  /** What fails when the template fails, for messages. */
  failure: string
  at: Location
  isTemplate: boolean
}

/** What can be done with the texts of one component at one time. */
export interface ComponentTexts {
  /**
   * Replaces markers, then renders the text if it is a template. Undefined after a failure, of which there is a finding.
   * Findings and runner are those of the planning, if none are given.
   */
  render(text: ComponentText, findings?: Finding[], runner?: TemplateRunner): Promise<string | undefined>
  /** Replaces markers alone. */
  mark(text: string, consumer: string, at: Location, findings?: Finding[]): string
}

/** Returns what renders texts of a component with the values and variables as they are now. */
export function componentTexts(planning: Planning, component: string): ComponentTexts {
  const markers: Markers = new Map([
    ...stateMarkers(planning.state, component),
    ...variableMarkers(planning.variables, 'VAR'),
    ...variableMarkers(planning.constants, 'CONST'),
  ])
  const { variables, values } = planning
  let objects: string | undefined
  const mark: ComponentTexts['mark'] = (text, consumer, at, findings = planning.findings) => {
    const marked = replaceMarkers(text, markers, at.file)
    refuseMarkers(marked, component, at, findings)
    for (const [name, line] of marked.names) {
      planning.usesState ||= markers.get(name)?.isState === true
      if (name.startsWith('VAR_')) {
        checkVariable(
          planning.preflight,
          variables,
          name.slice(4),
          consumer,
          at.line === undefined ? { ...at, line } : at,
        )
      }
    }
    return marked.text
  }
  return {
    mark,
    render: async (text, findings = planning.findings, runner = planning.runner) => {
      spendText(runner)
      const marked = mark(text.text, text.consumer, text.at, findings)
      if (!text.isTemplate) {
        return marked
      }
      const template = await parsePackageTemplate(runner, { ...text, text: marked }, findings)
      if (template === undefined) {
        return undefined
      }
      let waits = false
      const undefinedValues: Finding[] = []
      for (const { path, line, column } of template.fields) {
        const at = text.at.line === undefined ? { ...text.at, line, column } : text.at
        planning.usesState ||= path[0] === 'State'
        if (path[0] === 'Values' && path.length > 1) {
          waits =
            checkValue(planning.preflight, values.tree, path.slice(1), text.consumer, at, undefinedValues) ||
            waits
        } else if (path[0] === 'Variables' && path[1] !== undefined) {
          waits = checkVariable(planning.preflight, variables, path[1], text.consumer, at) || waits
        }
      }
      if (waits) {
        findings.push(...undefinedValues)
        return undefined
      }
      objects ??= objectsText({
        ...planning.fixed,
        values: valuesText(values.tree),
        variables: variablesText(variables),
      })
      const failures: Finding[] = []
      const rendered = await renderPackageTemplate(runner, template, objects, failures)
      findings.push(...joinFailures(undefinedValues, failures))
      return undefinedValues.length > 0 ? undefined : rendered
    },
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
