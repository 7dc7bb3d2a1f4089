/** Most parameters that are reported of one source. */
const maxParameters = 2_000

/** Most bytes of all parameters of one source, as they stand in a `hydrator.metadata`. */
const maxParameterBytes = 512 * 1024

/** The first parameters of a source. */
interface BoundedParameters<Parameter> {
  readonly parameters: readonly Parameter[]
  /** The number of parameters after them. */
  readonly leftOut: number
}

/** Keeps the first 2,000 parameters, and of these what fits into 512 KiB of indented JSON. */
export function boundParameters<Parameter>(all: readonly Parameter[]): BoundedParameters<Parameter> {
  let bytes = 0
  let kept = 0
  for (const parameter of all.slice(0, maxParameters)) {
    bytes += Buffer.byteLength(JSON.stringify([[parameter]], undefined, 2))
    if (bytes > maxParameterBytes) break
    kept++
  }
  return { parameters: all.slice(0, kept), leftOut: all.length - kept }
}
