import { loadGoProgram } from './go-program.ts'

const defaultMaximumBytes = 1024 * 1024

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
  /** What a key that is not there gives: `<no value>` (default), the zero value, or an error. */
  missingKey?: 'default' | 'zero' | 'error'
  /** The largest output in bytes; 1 MiB by default. */
  maximumBytes?: number
}

/**
 * Go's text/template with those functions of sprig that depend on their arguments alone, and `normalize`, `slugify`,
 * `toYaml`, `fromYaml` and `fromYamlArray` as in Argo CD's ApplicationSets.
 */
export interface TemplateEngine {
  /**
   * Renders a template. Loops, calls, values and output are bounded, and so is the time: a few seconds.
   * @throws InvalidInputError with Go's own message: template name, line and column, and what is wrong.
   */
  render(request: TemplateRequest): string
  /**
   * Parses a template and renders nothing.
   * @throws InvalidInputError as render does.
   */
  check(name: string, text: string): void
}

let engine: Promise<TemplateEngine> | undefined

/** Returns the template engine of this process, which the first call loads. */
export function loadTemplateEngine(): Promise<TemplateEngine> {
  engine ??= start()
  return engine
}

async function start(): Promise<TemplateEngine> {
  const program = await loadGoProgram('template.wasm')
  return {
    render: ({
      name,
      text,
      data,
      textMaps = [],
      missingKey = 'default',
      maximumBytes = defaultMaximumBytes,
    }) => program.call(name, { name, text, missingKey, textMaps, maximumBytes, data: data ?? null }),
    check: (name, text) => {
      program.call(name, { name, text })
    },
  }
}
