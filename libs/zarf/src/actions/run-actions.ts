import { InvalidInputError } from '@wadi/errors/domain-error.ts'
import { locatedBelow, setPath } from '@wadi/params/resolve/assign.ts'
import type { Layer } from '@wadi/params/resolve/layer.ts'
import { readLocatedDocuments } from '@wadi/params/yaml/located-yaml.ts'
import { locatedAt } from '@wadi/params/values/located.ts'
import { parseKeyPath } from '@wadi/params/values/path.ts'
import { resolve } from '@wadi/params/resolve/resolve.ts'
import { fromJson } from '@wadi/params/values/value-json.ts'
import type { Value } from '@wadi/params/values/value.ts'
import { collect, collectLater } from '../lint/finding.ts'
import { validateValues } from '../values/package-values.ts'
import { parsePackageTemplate, renderPackageTemplate } from '../templates/package-template.ts'
import type { Planning } from '../plan/planning.ts'
import { addPending, checkValue, hasFailedAction } from './preflight.ts'
import { objectsText, valuesText, variablesText } from '../templates/template-objects.ts'
import type { Action, ActionStage, Component, SetValue } from '../definition/zarf-package.ts'

/** A command that is to run in a sandbox. */
export interface SandboxCommand {
  component: string
  /** The name of the action in messages. */
  label: string
  /** A script for a shell, its templates rendered. */
  cmd: string
  /** The directory to run it in, from the directory of the package. */
  dir: string
  /** Variables of the environment as `NAME=value`: those of the action, then `ZARF_VAR_…`. */
  env: readonly string[]
  /** The time limit, in seconds; 0 for the sandbox's limit. */
  maxTotalSeconds: number
}

/**
 * Runs a command where it can do no harm and returns what it wrote. Must throw a DomainError when the command fails or
 * does not repeat.
 */
export type RunCommand = (command: SandboxCommand) => Promise<string>

/** An action that is not run. */
export interface SkippedAction {
  component: string
  stage: ActionStage
  label: string
  /** The values and variables that it would have set: paths with their dots, and names. */
  sets: readonly string[]
}

/**
 * Goes through actions of one stage of a component. With `run`, those that set values or variables are run, and what
 * they set is there for everything after them; all others are skipped.
 */
export async function passActions(
  planning: Planning,
  component: Component,
  stages: readonly ActionStage[],
  run: RunCommand | undefined,
): Promise<SkippedAction[]> {
  const skipped: SkippedAction[] = []
  for (const action of component.actions.filter(({ stage }) => stages.includes(stage))) {
    const isRun =
      run !== undefined && action.stage !== 'onFailure' && action.cmd !== '' && setsAnything(action)
    const cmd = await checkAction(planning, component, action, isRun)
    for (const { isProposalForm, key, at } of action.setValues) {
      if (isProposalForm) {
        const message = `Zarf itself does not know setValues.path: write key: ${key}`
        planning.findings.push({ severity: 'warning', message, at })
      }
    }
    if (isRun) {
      // After a failure nothing more is run, as in a deployment; what is missed because of it is not an error of its own.
      const mayRun = cmd !== undefined && !hasFailedAction(planning.preflight)
      const ran = mayRun ? await runAction(planning, component, action, cmd, run) : undefined
      if (ran === undefined) addPending(planning.preflight, component, action, true)
    } else {
      addPending(planning.preflight, component, action)
      skipped.push({
        component: component.name,
        stage: action.stage,
        label: action.label,
        sets: [...action.setValues.map(({ key }) => key), ...action.setVariables.map(({ name }) => name)],
      })
    }
  }
  return skipped
}

function setsAnything({ setValues, setVariables }: Action): boolean {
  return setValues.length + setVariables.length > 0
}

/**
 * Checks the templates of an action and returns its command, rendered; undefined when it cannot be, which is an error of
 * one that is run. One that is not needs nothing that only an action sets.
 */
async function checkAction(
  planning: Planning,
  component: Component,
  action: Action,
  isRun: boolean,
): Promise<string | undefined> {
  if (!action.isTemplate) {
    return action.cmd
  }
  const consumer = `component "${component.name}" action "${action.label}"`
  const before = planning.findings.length
  let command: string | undefined = action.cmd
  let waits = false
  for (const text of action.templates) {
    const source = { name: 'str', text, at: action.at, failure: `${consumer}: invalid go-template` }
    const template = await parsePackageTemplate(planning.runner, source, planning.findings, isRun)
    for (const { path } of template?.fields ?? []) {
      if (path[0] === 'Values' && path.length > 1) {
        waits =
          checkValue(
            planning.preflight,
            planning.values.tree,
            path.slice(1),
            consumer,
            action.at,
            planning.findings,
            isRun,
          ) || waits
      }
    }
    const isSound = planning.findings.slice(before).every(({ severity }) => severity === 'warning')
    if (isRun && template !== undefined && isSound && !waits && text === action.cmd) {
      const objects = objectsText({
        ...planning.fixed,
        package: undefined,
        values: valuesText(planning.values.tree),
        variables: variablesText(planning.variables),
      })
      command = await renderPackageTemplate(planning.runner, template, objects, planning.findings)
    } else {
      command = undefined
    }
  }
  return command
}

/** Runs an action and keeps what it sets. Returns undefined after a failure, of which there is a finding. */
async function runAction(
  planning: Planning,
  component: Component,
  action: Action,
  cmd: string,
  run: RunCommand,
): Promise<true | undefined> {
  const variables = [...planning.variables.values()].map(({ name, value }) => `ZARF_VAR_${name}=${value}`)
  const written = await collectLater(planning.findings, action.at, () =>
    run({
      component: component.name,
      label: action.label,
      cmd,
      dir: action.dir,
      env: [...action.env, ...variables],
      maxTotalSeconds: action.maxTotalSeconds,
    }),
  )
  if (written === undefined) return undefined
  const output = written.trim()
  for (const { name, at } of action.setVariables) {
    const before = planning.variables.get(name)
    const variable = {
      name,
      value: output,
      content: output,
      autoIndent: before?.autoIndent ?? false,
      isGiven: true,
      at,
    }
    planning.variables = new Map([...planning.variables, [name, variable]])
  }
  let isComplete = true
  for (const setting of action.setValues) {
    const isSet = collect(planning.findings, setting.at, () => {
      setValue(planning, component, action, setting, output)
      return true
    })
    isComplete &&= isSet === true
  }
  if (isComplete && action.setValues.length > 0) {
    validateValues(planning.schema, planning.values, planning.findings)
  }
  return isComplete ? true : undefined
}

function setValue(
  planning: Planning,
  component: Component,
  action: Action,
  setting: SetValue,
  output: string,
): void {
  const consumer = `component "${component.name}" action "${action.label}"`
  const path = parseKeyPath(setting.key)
  const value = parseOutput(setting, output, consumer)
  // A layer would replace a scalar on the way to the path; an action must not.
  setPath(planning.values.tree, path, value)
  const layer: Layer = {
    rank: 3,
    owner: 'tool',
    kind: 'value',
    tree: locatedBelow(path, locatedAt(value, setting.at)),
    label: `output of ${consumer}`,
  }
  planning.layers = [...planning.layers, layer]
  planning.values = resolve(planning.layers, 'deep')
}

function parseOutput({ type, key, at }: SetValue, output: string, consumer: string): Value {
  if (type === 'string') {
    return output
  }
  try {
    return type === 'json'
      ? fromJson(JSON.parse(output))
      : (readLocatedDocuments(output, 'output')[0]?.value ?? null)
  } catch (cause) {
    if (!(cause instanceof SyntaxError) && !(cause instanceof InvalidInputError)) {
      throw cause
    }
    throw new InvalidInputError(
      `${consumer} sets ${key} as ${type}, and its output is not valid ${type}: ${cause.message}`,
      { at, cause },
    )
  }
}
