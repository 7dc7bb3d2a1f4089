/** The parameters of templates: flat strings for the default engine, any JSON values for Go templates. */
export type ParameterValues = Record<string, unknown>

/** The values for one Application, and where they come from. */
export interface ParameterSet {
  /** For messages, for example `spec.generators[0].list.elements[2]`. */
  origin: string
  values: ParameterValues
}
