import { setImmediate } from 'node:timers/promises'
import { resolve } from '@wadi/params/resolve/resolve.ts'
import type { Resolution } from '@wadi/params/resolve/resolve.ts'
import { jsonText } from '@wadi/params/values/value-json.ts'
import { clusterState } from '../templates/cluster-state.ts'
import { explainConstants, explainVariables, sensitiveTexts } from '../templates/explain-variables.ts'
import { collect, errorsOf, throwErrors, undefinedValueCode } from '../lint/finding.ts'
import type { Finding } from '../lint/finding.ts'
import { openPackage } from '../definition/open-package.ts'
import type { OpenPackage } from '../definition/open-package.ts'
import type { PackageFiles } from '../definition/package-files.ts'
import { readSchema, readValuesLayers, validateValues } from '../values/package-values.ts'
import type { CallValues } from '../values/package-values.ts'
import { maxMapped, planChart } from './plan-chart.ts'
import type { PlannedChart } from './plan-chart.ts'
import { planComponentFiles } from './plan-component-files.ts'
import type { PlannedFile } from './plan-component-files.ts'
import { planManifests } from './plan-manifests.ts'
import type { PlannedKustomization, PlannedManifests } from './plan-manifests.ts'
import { ComponentTexts } from './component-texts.ts'
import type { Planning } from './planning.ts'
import { reportPending } from '../actions/preflight.ts'
import { passActions } from '../actions/run-actions.ts'
import type { RunCommand, SkippedAction } from '../actions/run-actions.ts'
import { leftOutComponents, selectComponents } from '../definition/select-components.ts'
import { stateText, variablesText } from '../templates/template-objects.ts'
import { templateRunner } from '../templates/template-runner.ts'
import { resolveConstants, resolveVariables } from '../templates/variables.ts'
import type { ResolvedVariable } from '../templates/variables.ts'
import type { SetText } from '../definition/zarf-config.ts'
import type { Component, ZarfPackage } from '../definition/zarf-package.ts'

/** The options of a call, which are not in the package. */
export interface PlanOptions extends CallValues {
  /** Takes the place of package.create.flavor. */
  flavor?: string
  /** Takes the place of package.deploy.components: names and patterns with commas between, `-` in front excludes. */
  components?: string
  /** Wins over package.deploy.set; by names in capitals. */
  variables?: ReadonlyMap<string, SetText>
  /** Runs actions that set values, if the package asks for it with `x-wadi.actions: sandbox`; by default none is run. */
  run?: RunCommand
  /** Asked of a package that wants its actions run: what has to be done before they are; undefined when nothing has. */
  howToRun?: () => Promise<string | undefined>
  /** Ends the templates that are rendered when it is aborted. */
  signal?: AbortSignal | undefined
}

/** Something that is to be rendered. */
export type PlannedItem = PlannedChart | PlannedManifests | PlannedKustomization

/** The parts of a package, in the order in which it is deployed. */
export interface PackagePlan {
  name: string
  /** Names of the components that are deployed, in order. */
  components: readonly string[]
  items: readonly PlannedItem[]
  files: readonly PlannedFile[]
  /** Warnings for users. */
  warnings: readonly Finding[]
  /** Actions of the deployment that are not run. */
  skippedActions: readonly SkippedAction[]
  /** The values of the package, and what decided each. Values that actions set are there. */
  values: Resolution
  variables: readonly ResolvedVariable[]
  /** The variables by name, and what decided each. */
  variableValues: Resolution
  /** The values of variables marked as sensitive, which explanations do not show. */
  sensitiveTexts: readonly string[]
  /** The constants by name, and where each is written. */
  constantValues: Resolution
  images: readonly string[]
  repos: readonly string[]
  /** True if the order of components becomes sync waves. */
  syncWaves: boolean
}

/**
 * Plans how a package is rendered. Everything that decides the result is in the files and the options.
 *
 * @param directory Where `zarf.yaml` is, from the root of the repository; empty for the root.
 * @throws InvalidInputError with everything that is wrong, each with its place.
 */
export async function planPackage(
  files: PackageFiles,
  directory: string,
  options: PlanOptions = {},
): Promise<PackagePlan> {
  const findings: Finding[] = []
  const opened = await openPackage(files, directory, options.flavor, findings)
  throwErrors('package validation failed', findings)
  const plan = await planOpenPackage(files, opened, options, findings, (components) => {
    const requested = options.components ?? opened.config.components?.value ?? ''
    const selected = selectComponents(components, requested)
    findings.push(...leftOutComponents(components, selected, requested, placeOfRequests(opened, options)))
    return selected
  })
  const isUnresolved = findings.some(({ code }) => code === undefinedValueCode)
  throwErrors(
    isUnresolved ? unresolved : `the package in ${directory === '' ? '.' : directory} cannot be rendered`,
    findings,
  )
  return { ...plan, warnings: findings }
}

function placeOfRequests({ config }: OpenPackage, { components }: PlanOptions): string {
  if (components !== undefined) return 'spec.package.components of the Render'
  return `package.deploy.components in ${config.path}`
}

const unresolved =
  'package references values that cannot be resolved (value templates must be explicitly defined, even if empty)'

/** Plans a package and adds everything that is wrong to the findings. */
export async function planOpenPackage(
  files: PackageFiles,
  opened: OpenPackage,
  options: PlanOptions,
  findings: Finding[],
  select: (components: readonly Component[]) => readonly Component[],
): Promise<Omit<PackagePlan, 'warnings'>> {
  const { package: zarfPackage, settings } = opened
  const planning = await startPlanning(files, opened, options, findings)
  const usable = usableComponents(zarfPackage, findings)
  const components = collect(findings, { file: zarfPackage.tree.at.file }, () => select(usable)) ?? []
  const howToRun = settings.wantsActions ? await options.howToRun?.() : 'allow x-wadi.actions: sandbox'
  const planned = await planComponents(planning, components, howToRun === undefined ? options.run : undefined)
  reportPending(planning.preflight, howToRun, settings.wantsActions, findings)
  requireDistinct(planned.files, findings)
  addWarnings(planning, components, planned.skippedActions)
  if (planned.items.length + planned.files.length === 0)
    findings.push(nothingToRender(zarfPackage, components))
  const variableInputs = {
    package: zarfPackage,
    configured: opened.config.variables,
    given: options.variables ?? new Map(),
    resolved: planning.variables,
  }
  return {
    name: zarfPackage.name,
    components: components.map(({ name }) => name),
    ...planned,
    values: planning.values,
    variables: [...planning.variables.values()],
    variableValues: explainVariables(variableInputs),
    sensitiveTexts: sensitiveTexts(variableInputs),
    constantValues: explainConstants(zarfPackage),
    images: [...new Set(components.flatMap(({ images }) => images))],
    repos: [...new Set(components.flatMap(({ repos }) => repos))],
    syncWaves: settings.syncWaves,
  }
}

/** The components for Linux; the others are reported. */
function usableComponents({ components }: ZarfPackage, findings: Finding[]): Component[] {
  const isUsable = ({ system }: Component): boolean => system === '' || system === 'linux'
  for (const component of components.filter((each) => !isUsable(each))) {
    findings.push({
      severity: 'warning',
      message: `component ${component.name} is for ${component.system} and is left out`,
      at: component.tree.at,
    })
  }
  return components.filter(isUsable)
}

/** Plans one component after the other, each with what the actions before it have set. */
async function planComponents(
  planning: Planning,
  components: readonly Component[],
  run: RunCommand | undefined,
): Promise<Pick<PackagePlan, 'items' | 'files' | 'skippedActions'>> {
  const items: PlannedItem[] = []
  const files: PlannedFile[] = []
  const skippedActions: SkippedAction[] = []
  for (const component of components) {
    skippedActions.push(...(await passActions(planning, component, ['before'], run)))
    const texts = new ComponentTexts(planning, component.name)
    files.push(...(await planComponentFiles(planning, component, texts)))
    for (const chart of component.charts) {
      // Other work of the process has its turn in between.
      await setImmediate()
      const item = await planChart(planning, component, chart, texts)
      items.push(...(item === undefined ? [] : [item]))
    }
    for (const manifest of component.manifests) {
      items.push(...(await planManifests(planning, component, manifest, texts)))
    }
    skippedActions.push(...(await passActions(planning, component, ['after', 'onSuccess', 'onFailure'], run)))
  }
  return { items, files, skippedActions }
}

async function startPlanning(
  files: PackageFiles,
  opened: OpenPackage,
  options: PlanOptions,
  findings: Finding[],
): Promise<Planning> {
  const { package: zarfPackage, config, settings } = opened
  const runner = templateRunner(options.signal)
  const [layers, schema] = await Promise.all([
    readValuesLayers(files, zarfPackage, config, options, findings),
    readSchema(files, zarfPackage, findings),
  ])
  const values = resolve(layers, 'deep')
  const isBlind = errorsOf(findings).length > 0
  if (!isBlind) {
    validateValues(schema, values, findings)
  }
  const given = new Map([...config.variables, ...(options.variables ?? [])])
  const variables = await resolveVariables(files, runner, zarfPackage, given, findings)
  const constants = await resolveConstants(runner, zarfPackage, findings)
  const state = clusterState(settings.state, findings)
  const [valuesFile] = zarfPackage.valuesFiles.slice(-1)
  return {
    files,
    runner,
    package: zarfPackage,
    findings,
    schema,
    state,
    constants,
    fixed: {
      constants: variablesText(constants),
      state: stateText(state),
      package: jsonText(zarfPackage.tree.value),
    },
    preflight: {
      pending: [],
      isBlind,
      valuesFile:
        valuesFile === undefined
          ? 'a file of values.files'
          : `${zarfPackage.directory}/${valuesFile.path}`.replace(/^\//, ''),
    },
    mapped: { left: maxMapped },
    usesState: false,
    variables,
    layers,
    values,
  }
}

function nothingToRender({ tree }: ZarfPackage, components: readonly Component[]): Finding {
  const names = components.map(({ name }) => name).join(', ')
  const message = `nothing to apply: no selected component (${names}) has charts, manifests, or files that are templates`
  return { severity: 'warning', message, at: { file: tree.at.file } }
}

function requireDistinct(files: readonly PlannedFile[], findings: Finding[]): void {
  for (const [path, same] of Map.groupBy(files, (file) => file.path)) {
    if (same.length > 1) {
      findings.push({
        severity: 'error',
        message: `${path} is the target of ${same.length} files: give each its own`,
      })
    }
  }
}

function addWarnings(
  planning: Planning,
  components: readonly Component[],
  skipped: readonly SkippedAction[],
): void {
  const { findings, package: zarfPackage } = planning
  const at = { file: zarfPackage.tree.at.file }
  const note = (message: string): void => {
    findings.push({ severity: 'warning', message, at })
  }
  const others = components.reduce((sum, { otherActions }) => sum + otherActions, 0)
  if (skipped.length + others > 0) {
    const count = skipped.length + others
    note(`${count} ${count === 1 ? 'action is' : 'actions are'} not part of the hydrated manifests`)
  }
  const injections = components.reduce((sum, { dataInjections }) => sum + dataInjections, 0)
  if (injections > 0) {
    note(`${injections} data injections are not part of the hydrated manifests`)
  }
  const checks = components.reduce((sum, { healthChecks }) => sum + healthChecks, 0)
  if (checks > 0) {
    note(`${checks} health checks are not part of the hydrated manifests`)
  }
  if (planning.usesState) {
    note('the state of the cluster is not known: Zarf’s defaults and x-wadi.state stand for it')
  }
}
