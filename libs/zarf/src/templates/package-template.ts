import { InvalidInputError } from '@wadi/errors/domain-error.ts'
import type { Location } from '@wadi/errors/location.ts'
import { nearestName } from '@wadi/errors/nearest-name.ts'
import { leftOutFunctions } from '@wadi/engines/templates/left-out-functions.ts'
import type { TemplateName, TemplateNames } from '@wadi/engines/templates/template.ts'
import { isSecretState } from './cluster-state.ts'
import type { Finding } from '../lint/finding.ts'
import { readHyphenatedFields } from './hyphenated-fields.ts'
import type { HyphenatedField } from './hyphenated-fields.ts'
import { inspectTemplate, runTemplate } from './template-runner.ts'
import type { TemplateRunner } from './template-runner.ts'

/** A text that is a template. */
export interface TemplateSource {
  /** The name of the template in Go's messages. */
  name: string
  text: string
  /** The place of the template. With a line, the template is a part of a file, and its own lines mean nothing. */
  at: Location
  /** The work that fails with the template, for messages. */
  failure: string
}

/** A template that was parsed and that asks for nothing that it may not have. */
export interface ParsedTemplate extends TemplateSource {
  readable: string
  hyphens: readonly HyphenatedField[]
  /** Chains that begin at the dot. */
  fields: readonly TemplateName[]
}

const timeZone = 'reads the clock or the time zone, so the same commit would render differently'

/** Functions that are refused, with the reason: beside those that no template has, all that may depend on a time zone. */
const refused: ReadonlyMap<string, string> = new Map([
  ...leftOutFunctions,
  ...['dateModify', 'date_modify', 'mustDateModify', 'must_date_modify', 'htmlDate', 'htmlDateInZone'].map(
    (name): [string, string] => [name, timeZone],
  ),
])

/**
 * Parses a template. Returns undefined, and adds findings, when it is not a template or asks for something that would make
 * the same commit render differently, or for a secret.
 *
 * @param isRendered Without it the template is only read, as nothing of it reaches git: it may ask for all that Zarf has.
 */
export async function parsePackageTemplate(
  runner: TemplateRunner,
  source: TemplateSource,
  findings: Finding[],
  isRendered = true,
): Promise<ParsedTemplate | undefined> {
  const { text: readable, fields: hyphens } = readHyphenatedFields(source.text)
  const found: Finding[] = hyphens.map((field) => ({
    severity: 'warning',
    message: `Zarf itself refuses ${field.written}: write ${field.readAs.slice(1, -1)}`,
    at: placeIn(source, field.line, field.column),
  }))
  const report = (message: string, { line, column }: TemplateName): void => {
    found.push({
      severity: 'error',
      message,
      at: placeIn(source, line, writtenColumn(hyphens, line, column)),
    })
  }
  const names = await inspect(runner, source, readable, found)
  for (const { use, message } of names === undefined
    ? []
    : rejectionsOf(source, names, isRendered).slice(0, maxReported)) {
    report(message, use)
  }
  findings.push(...found)
  return names === undefined || found.some(({ severity }) => severity === 'error')
    ? undefined
    : { ...source, readable, hyphens, fields: names.fields }
}

/** The most errors of one template that are reported. */
const maxReported = 100

function rejectionsOf(
  source: TemplateSource,
  names: TemplateNames,
  isRendered: boolean,
): { use: TemplateName; message: string }[] {
  const impure = names.functions.flatMap((use) => {
    const [name = ''] = use.path
    const reason = refused.get(name)
    const message = `function "${name}" ${reason ?? ''}: take it out`
    return reason === undefined ? [] : [{ use, message }]
  })
  const undefinedFunctions = names.undefined.flatMap((use) => {
    const [name = ''] = use.path
    const message = `${source.failure}: template: ${source.name}:${use.line}: function "${name}" not defined`
    return refused.has(name) ? [] : [{ use, message }]
  })
  const secrets = names.fields.flatMap((use) => {
    const message = `.${use.path.join('.')} is a secret of the cluster, which cannot be rendered into git: use a controller or webhook`
    return use.path[0] === 'State' && isSecretState(use.path.slice(1)) ? [{ use, message }] : []
  })
  return isRendered ? [...impure, ...undefinedFunctions, ...secrets] : undefinedFunctions
}

async function inspect(
  runner: TemplateRunner,
  source: TemplateSource,
  readable: string,
  findings: Finding[],
): Promise<TemplateNames | undefined> {
  try {
    return await inspectTemplate(runner, source.name, readable)
  } catch (cause) {
    if (!(cause instanceof InvalidInputError)) {
      throw cause
    }
    findings.push({ severity: 'error', ...placedMessage(source, [], cause.reason) })
    return undefined
  }
}

/**
 * Renders a template; a missing key is an error.
 *
 * @param objects JSON of what the template sees.
 * @param seesPackage Whether `.Pkg` is among it, which a message may suggest.
 * @returns Undefined after a failure, of which a finding was added with Go's own message.
 */
export async function renderPackageTemplate(
  runner: TemplateRunner,
  template: ParsedTemplate,
  objects: string,
  findings: Finding[],
  seesPackage = false,
): Promise<string | undefined> {
  try {
    return await runTemplate(runner, {
      name: template.name,
      text: template.readable,
      objects,
      maxBytes: maxOutputBytes,
    })
  } catch (cause) {
    if (!(cause instanceof InvalidInputError)) {
      throw cause
    }
    const path = valuePath(cause.reason)
    findings.push({
      severity: 'error',
      ...placedMessage(template, template.hyphens, `${cause.reason}${suggestion(cause.reason, seesPackage)}`),
      ...(path !== undefined && { path }),
    })
    return undefined
  }
}

const objectNames = ['Values', 'Variables', 'Constants', 'State']

/** Returns what a template may have meant that names an object that it does not see, such as one of an older draft. */
function suggestion(message: string, seesPackage: boolean): string {
  const [, name = '', missing] = / at <\.(\w+)[^>]*>: map has no entry for key "(\w+)"$/.exec(message) ?? []
  if (missing !== name) return ''
  const nearest = nearestName(name, seesPackage ? [...objectNames, 'Pkg'] : objectNames)
  if (nearest !== undefined) return `; did you mean .${nearest}?`
  return seesPackage ? '; what the package says of itself is in .Pkg, such as .Pkg.Metadata.Version' : ''
}

const maxOutputBytes = 4 * 1024 * 1024

/** The value that Go's message names in angle brackets, as `.Values.a.b`; Go cuts long ones, which name none. */
function valuePath(message: string): string | undefined {
  const [, field, keys] =
    / at <(?:(\.Values\.[^\s>]+)|index \.Values ((?:"[^">]*" ?)+))>: /.exec(message) ?? []
  if (keys === undefined) return field
  return ['.Values', ...[...keys.matchAll(/"([^"]*)"/g)].map(([, key = '']) => key)].join('.')
}

/** Returns Go's message with the place that it names, as it is in the text before hyphens were read. */
function placedMessage(
  source: TemplateSource,
  hyphens: readonly HyphenatedField[],
  message: string,
): { message: string; at: Location } {
  const start = `template: ${source.name}:`
  const [, lineText, columnText] =
    (message.startsWith(start) && /^(\d+)(?::(\d+))?:/.exec(message.slice(start.length))) || []
  if (lineText === undefined) {
    return { message: `${source.failure}: ${message}`, at: source.at }
  }
  const line = Number(lineText)
  if (columnText === undefined) {
    return { message: `${source.failure}: ${message}`, at: placeIn(source, line) }
  }
  // Go counts columns from 0 in messages.
  const column = writtenColumn(hyphens, line, Number(columnText) + 1)
  const rest = message.slice(start.length + lineText.length + 1 + columnText.length)
  return {
    message: `${source.failure}: ${start}${line}:${column - 1}${rest}`,
    at: placeIn(source, line, column),
  }
}

function placeIn({ at }: TemplateSource, line: number, column?: number): Location {
  if (at.line !== undefined) {
    return at
  }
  return column === undefined ? { file: at.file, line } : { file: at.file, line, column }
}

/** Returns the column that something has in the text before hyphens were read. */
function writtenColumn(hyphens: readonly HyphenatedField[], line: number, column: number): number {
  let written = column
  for (const field of hyphens) {
    const growth = field.readAs.length - field.written.length
    if (field.line === line && written > field.column) {
      written = Math.max(field.column, written - growth)
    }
  }
  return written
}
