import { InvalidInputError } from '@wadi/errors/domain-error.ts'
import { loadGoProgram } from '@wadi/gotemplate/go-program.ts'
import { leftOutFunctions } from './left-out-functions.ts'

const defaultMaxBytes = 1024 * 1024

/** A Go template and what it is rendered with. */
interface TemplateRequest {
  /** Stands for the template in error messages. */
  name: string
  /** The template, at most 1 MiB. */
  text: string
  /** Any JSON value: objects become maps, integral numbers integers, other numbers floats. */
  data: unknown
  /**
   * The paths, as keys and positions, of those maps in `data` that hold texts alone and are maps of texts to Go, as labels
   * are: their zero value is the empty text, where that of other maps is `<no value>`, and functions of sprig for
   * dictionaries do not take them. A map that holds anything else stays what it is.
   */
  textMaps?: readonly (readonly string[])[]
  /** The result of a key that does not exist: `<no value>` (default), the zero value, or an error. */
  missingKey?: 'default' | 'zero' | 'error'
  /** The largest output in bytes; 1 MiB by default. */
  maxBytes?: number
}

/** A template in a Zarf package and what it is rendered with. */
export interface PackageTemplateRequest {
  /** Stands for the template in error messages. */
  name: string
  /** The template, at most 1 MiB. */
  text: string
  /**
   * The JSON of an object with any of `Values`, `Variables`, `Constants`, `State` and `Pkg`. In `Values` a number with a
   * point or an exponent is a float, every other an integer; one beyond all floats is infinite. `Pkg` has the keys of a
   * package definition, and templates see its fields by their names in Go.
   */
  objects: string
  /** The largest output in bytes; 1 MiB by default. */
  maxBytes?: number
}

/** A name in a template and where it stands: line and column from 1, columns in bytes. */
export interface TemplateName {
  path: readonly string[]
  line: number
  column: number
}

/** The names that a template reads. */
export interface TemplateNames {
  /** Chains that begin at the dot, `.a.b` or `index .a "b"`, as far as they are known without rendering. */
  fields: readonly TemplateName[]
  /** Functions; a path has one name. */
  functions: readonly TemplateName[]
  /** Those functions that templates in Zarf packages do not have. */
  undefined: readonly TemplateName[]
}

/**
 * Go's text/template with those functions of sprig that depend on their arguments alone, and `normalize`, `slugify`,
 * `toYaml`, `fromYaml` and `fromYamlArray` as in Argo CD's ApplicationSets.
 */
export interface TemplateEngine {
  /**
   * Renders a template. Loops, calls, values and output are bounded, and so is the time: a few seconds.
   * @throws InvalidInputError with Go's own message: template name, line and column, and what is wrong.
   * @throws ResourceExhaustedError in the form of Go's messages when the template needs more than 512 MiB.
   */
  render(request: TemplateRequest): string
  /**
   * Parses a template and renders nothing.
   * @throws InvalidInputError as render does.
   */
  check(name: string, text: string): void
  /**
   * Renders a template of a Zarf package, with the functions that Zarf has and a missing key as an error.
   * @throws InvalidInputError and ResourceExhaustedError as render does.
   */
  renderPackage(request: PackageTemplateRequest): string
  /**
   * Returns what a template of a Zarf package names, functions that do not exist included.
   * @throws InvalidInputError with Go's own message when it is not a template.
   */
  inspectPackage(name: string, text: string): TemplateNames
}

let engine: Promise<TemplateEngine> | undefined

/** Returns the template engine of this process, which the first call loads. */
export async function loadTemplateEngine(): Promise<TemplateEngine> {
  engine ??= start()
  return engine
}

/** Returns Go's name of a template in its messages; errors that Go itself could not report have no line. */
function placeOf(name: string): string {
  return `template: ${name}:1`
}

/** The code of the error for a key that a map does not have. */
export const missingKeyCode = 'missing-key'

/** Reads Go's own messages: gives a missing key its code, and says of a function that is left out why. */
function withReason(error: unknown): unknown {
  if (!(error instanceof InvalidInputError)) return error
  if (error.reason.includes('map has no entry for key')) return error.with({ code: missingKeyCode })
  const [, name = ''] = /function "(\w+)" not defined$/.exec(error.reason) ?? []
  const reason = leftOutFunctions.get(name)
  return reason === undefined ? error : error.with({ reason: `${error.reason}: it ${reason}` })
}

async function start(): Promise<TemplateEngine> {
  const program = await loadGoProgram('template')
  const call = (name: string, request: object, read?: () => string): string => {
    try {
      return program.call(placeOf(name), request, read)
    } catch (error) {
      throw withReason(error)
    }
  }
  return {
    render: ({ name, text, data, textMaps = [], missingKey = 'default', maxBytes = defaultMaxBytes }) =>
      call(name, { name, text, missingKey, textMaps, maxBytes, data: data ?? null }),
    check: (name, text) => {
      call(name, { name, text })
    },
    renderPackage: ({ name, text, objects, maxBytes = defaultMaxBytes }) =>
      call(name, { name, text, objects: true, maxBytes }, () => objects),
    inspectPackage: (name, text) => {
      const names: TemplateNames = JSON.parse(program.call(placeOf(name), { name, text, inspect: true }))
      return names
    },
  }
}
