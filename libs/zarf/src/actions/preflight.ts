import { ResourceExhaustedError } from '@wadi/errors/domain-error.ts'
import { formatLocation, type Location } from '@wadi/errors/location.ts'
import type { Value } from '@wadi/params/values/value.ts'
import { type Finding, undefinedValueCode } from '../lint/finding.ts'
import { hasPath } from '../values/package-values.ts'
import type { ResolvedVariables } from '../templates/variables.ts'
import type { Action, Component } from '../definition/zarf-package.ts'

/** A value that is only known when an action has run. */
interface Pending {
  /** Keys of a value; undefined for a variable. */
  path: readonly string[] | undefined
  /** A path of values with its dot, or the name of a variable. */
  name: string
  /** The action that sets it. */
  action: string
  at: Location
  /** The parts that cannot be rendered without it. */
  consumers: Set<string>
  isReplaced: boolean
  /** True if the action was run and failed, for which a finding exists already. */
  hasFailed: boolean
}

/** The values that actions would set if they were run. */
export interface Preflight {
  readonly pending: Pending[]
  /** The file in which values can be set instead, for messages. */
  readonly valuesFile: string
  /** True if a values file could not be read, so that a missing value is no error. */
  readonly isBlind: boolean
}

/** The most values and variables that actions of a package may set. */
const maxPending = 1000

/** Says of an action that it is not run, so that what it sets must be in git; or that it was run and failed. */
export function addPending(
  preflight: Preflight,
  component: Component,
  action: Action,
  hasFailed = false,
): void {
  if (preflight.pending.length > maxPending) {
    throw new ResourceExhaustedError(`the actions of the package set more than ${maxPending} values`)
  }
  const label = `component "${component.name}" action "${action.label}"`
  for (const { key, at } of action.setValues) {
    const path = key === '.' ? [] : key.split('.').slice(1)
    preflight.pending.push({
      path,
      name: key,
      action: label,
      at,
      consumers: new Set(),
      isReplaced: false,
      hasFailed,
    })
  }
  for (const { name, at } of action.setVariables) {
    preflight.pending.push({
      path: undefined,
      name,
      action: label,
      at,
      consumers: new Set(),
      isReplaced: false,
      hasFailed,
    })
  }
}

/** True if an action of the package was run and failed. */
export function hasFailedAction(preflight: Preflight): boolean {
  return preflight.pending.some(({ hasFailed }) => hasFailed)
}

function isWithin(path: readonly string[], pending: Pending): boolean {
  return pending.path?.every((key, index) => path[index] === key) === true
}

/**
 * Returns true if values have something at a path, or an action that is not run would set it; the consumer, if there is
 * one, then depends on that action.
 */
export function findValue(
  preflight: Preflight,
  tree: Value,
  path: readonly string[],
  consumer: string | undefined,
): 'known' | 'pending' | 'undefined' {
  const setters = preflight.pending.filter((pending) => isWithin(path, pending))
  if (hasPath(tree, path)) {
    for (const pending of setters) {
      pending.isReplaced = true
    }
    return 'known'
  }
  if (preflight.isBlind) {
    return 'pending'
  }
  const last = setters.at(-1)
  if (consumer !== undefined) {
    last?.consumers.add(consumer)
  }
  return last === undefined ? 'undefined' : 'pending'
}

/**
 * Checks a value that a template names, and adds a finding when it is not defined.
 *
 * @param isRendered Whether the template is to be rendered, so that what only an action sets is needed.
 * @returns Whether it is one that only an action sets, so that the template cannot be rendered.
 */
export function checkValue(
  preflight: Preflight,
  tree: Value,
  path: readonly string[],
  consumer: string,
  at: Location,
  findings: Finding[],
  isRendered = true,
): boolean {
  const found = findValue(preflight, tree, path, isRendered ? consumer : undefined)
  if (found === 'undefined') {
    findings.push({
      severity: 'error',
      message:
        `${consumer}: references undefined value .Values.${path.join('.')}: ` +
        `define it, even if empty, in ${preflight.valuesFile}`,
      at,
      path: `.Values.${path.join('.')}`,
      code: undefinedValueCode,
    })
  }
  return found === 'pending'
}

/** Checks a variable that a text names. Returns whether it is one that only an action sets. */
export function checkVariable(
  preflight: Preflight,
  variables: ResolvedVariables,
  name: string,
  consumer: string,
  at: Location,
): boolean {
  const setter = preflight.pending.findLast((pending) => pending.path === undefined && pending.name === name)
  if (setter === undefined) {
    return false
  }
  if (variables.get(name)?.isGiven === true) {
    setter.isReplaced = true
    return false
  }
  setter.consumers.add(`${consumer} (${formatLocation(at)})`)
  return true
}

function isSkipped({ hasFailed }: Pending): boolean {
  return !hasFailed
}

/**
 * Adds one finding for everything that only an action sets and that is needed, and warnings for what git sets instead.
 *
 * @param howToRun What has to be done before actions are run; undefined when those that set values are.
 * @param isAskedFor Whether the package wants its actions run, so that warnings say what prevents it.
 */
export function reportPending(
  preflight: Preflight,
  howToRun: string | undefined,
  isAskedFor: boolean,
  findings: Finding[],
): void {
  for (const { path, name, action, at, consumers, isReplaced } of preflight.pending.filter(isSkipped)) {
    const what = path === undefined ? `variable ${name}` : `value ${name}`
    if (consumers.size > 0) {
      const where =
        path === undefined
          ? `package.deploy.set.${name} in zarf-config.yaml`
          : `${name} in ${preflight.valuesFile}`
      findings.push({
        severity: 'error',
        message:
          `${action} sets ${what} at deploy time, and actions are not run; needed by ${[...consumers].join(', ')}: ` +
          `set ${where}${howToRun === undefined ? '' : `, or ${howToRun}`}`,
        at,
      })
    } else if (isReplaced) {
      findings.push({
        severity: 'warning',
        message:
          `${action} is not run: ${what} is taken from git instead` +
          (isAskedFor && howToRun !== undefined ? `; to run it, ${howToRun}` : ''),
        at,
      })
    }
  }
}
