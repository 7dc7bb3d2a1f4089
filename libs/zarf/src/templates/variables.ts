import { InvalidInputError } from '@wadi/errors/domain-error.ts'
import { formatLocation, type Location } from '@wadi/errors/location.ts'
import type { Finding } from '../lint/finding.ts'
import { collectLater } from '../lint/finding.ts'
import type { Marker } from './markers.ts'
import { pathInRepository, readText } from '../definition/package-files.ts'
import type { PackageFiles } from '../definition/package-files.ts'
import { runTemplate } from './template-runner.ts'
import type { TemplateRunner } from './template-runner.ts'
import type { SetText } from '../definition/zarf-config.ts'
import type { PackageVariable, ZarfPackage } from '../definition/zarf-package.ts'

/** A variable or constant with its value. */
export interface ResolvedVariable {
  name: string
  value: string
  /** The value of the variable's marker: of a variable of type file the content of the file. */
  content: string
  autoIndent: boolean
  /** True if git has the value. */
  isGiven: boolean
  /** The place of the value. */
  at: Location
}

/** Variables or constants by their names. */
export type ResolvedVariables = ReadonlyMap<string, ResolvedVariable>

/** Returns the variables of a package: what is set for each, else its default. */
export async function resolveVariables(
  files: PackageFiles,
  runner: TemplateRunner,
  zarfPackage: ZarfPackage,
  settings: ReadonlyMap<string, SetText>,
  findings: Finding[],
): Promise<ResolvedVariables> {
  const resolved = new Map<string, ResolvedVariable>()
  for (const [name, { value, at }] of settings) {
    resolved.set(name, { name, value, content: value, autoIndent: false, isGiven: true, at })
  }
  requirePrompted(zarfPackage.variables, settings, findings)
  for (const variable of zarfPackage.variables) {
    const setting = settings.get(variable.name)
    const value = setting?.value ?? variable.value
    const at = setting?.at ?? variable.at
    await collectLater(findings, at, () => requirePattern(runner, variable, value, 'variable'))
    if (variable.isSensitive && value !== '') {
      const message = `variable ${variable.name} is marked as sensitive, and its value is in git and in what is rendered`
      findings.push({ severity: 'warning', message, at })
    }
    const content =
      variable.isFile && value !== ''
        ? await collectLater(findings, at, () => contentOf(files, zarfPackage, value))
        : value
    resolved.set(variable.name, {
      name: variable.name,
      value,
      content: content ?? '',
      autoIndent: variable.autoIndent,
      isGiven: setting !== undefined || value !== '',
      at,
    })
  }
  return resolved
}

function contentOf(files: PackageFiles, { directory }: ZarfPackage, path: string): Promise<string> {
  return readText(files, pathInRepository(directory, path))
}

/** Returns the constants of a package. */
export async function resolveConstants(
  runner: TemplateRunner,
  { constants }: ZarfPackage,
  findings: Finding[],
): Promise<ResolvedVariables> {
  const resolved = new Map<string, ResolvedVariable>()
  for (const constant of constants) {
    const { name, value, autoIndent, at } = constant
    await collectLater(findings, at, () => requirePattern(runner, constant, value, 'constant'))
    resolved.set(name, { name, value, content: value, autoIndent, isGiven: true, at })
  }
  return resolved
}

function requirePrompted(
  variables: readonly PackageVariable[],
  settings: ReadonlyMap<string, SetText>,
  findings: Finding[],
): void {
  const missing = variables.filter(
    ({ name, isPrompted, hasValue }) => isPrompted && !hasValue && !settings.has(name),
  )
  const [first] = missing
  if (first !== undefined) {
    findings.push({
      severity: 'error',
      message:
        `there is no value for ${missing.map(({ name }) => name).join(', ')}: ` +
        'set a default in the package, or package.deploy.set in zarf-config.yaml',
      at: first.at,
    })
  }
}

/** Matches as Zarf does, with Go's expressions, which take no more than linear time. */
async function requirePattern(
  runner: TemplateRunner,
  { name, pattern, at }: PackageVariable,
  value: string,
  kind: string,
): Promise<void> {
  if (pattern === '') {
    return
  }
  const matches = await runTemplate(runner, {
    name: `pattern of ${name}`,
    text: '{{ mustRegexMatch .Variables.pattern .Variables.value }}',
    objects: JSON.stringify({ Variables: { pattern, value } }),
  })
  if (matches !== 'true') {
    throw new InvalidInputError(
      `provided value for ${kind} "${name}" does not match pattern "${pattern}" (${formatLocation(at)})`,
    )
  }
}

/** Returns the markers that stand for variables (`VAR`) or constants (`CONST`). */
export function variableMarkers(variables: ResolvedVariables, kind: 'VAR' | 'CONST'): [string, Marker][] {
  return [...variables.values()].map(({ name, content, autoIndent }) => [
    `${kind}_${name.toUpperCase()}`,
    { value: content, autoIndent, isState: false },
  ])
}
