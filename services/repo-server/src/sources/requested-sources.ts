import type { Results, Reuse } from '@wadi/incremental/reuse.ts'
import { errorMessage, InvalidInputError } from '@wadi/errors/domain-error.ts'
import { unplaced } from '@wadi/fields/field-places.ts'
import type { Source } from '@wadi/protocol/gen/wadi/repo_server/v1/repo_server_pb.ts'
import type { Renderer } from '@wadi/rendering/plan/renderer.ts'
import { parseSourceOptions } from '@wadi/rendering/source/source-options.ts'
import type { RenderSource } from '@wadi/rendering/source/source.ts'

/** The sources of requests, as renderers read them. */
export class RequestedSources {
  readonly #renderers: readonly Renderer[]
  readonly #known: Results<string, RenderSource>

  /** @param max the maximum number of known sources */
  constructor(renderers: readonly Renderer[], reuse: Reuse, max: number) {
    this.#renderers = renderers
    this.#known = reuse.byKey(max)
  }

  /** Reads a source of a request, once for all requests that name it. */
  read(repoUrl: string, request: Source): RenderSource {
    const { path, optionsJson, destinationNamespace, applicationName, targetRevision } = request
    const { manifestGeneratePaths, instanceName, projectName, field, forFlux, sharedWith } = request
    const instance = { name: instanceName || applicationName, project: projectName }
    const rest = [
      destinationNamespace,
      applicationName,
      targetRevision,
      manifestGeneratePaths,
      instance,
      field,
      forFlux,
      sharedWith,
    ]
    const key = JSON.stringify([repoUrl, path, optionsJson, ...rest])
    const known = this.#known.get(key)
    if (known) return known
    const source = {
      path,
      options: parseOptions(optionsJson, field, this.#renderers),
      destinationNamespace,
      // As for Argo CD, an Application of another namespace has its namespace in the name of its file.
      applicationName: instance.name,
      instance,
      repoUrl,
      targetRevision,
      manifestGeneratePaths,
      ...(field !== '' && { field }),
      ...(forFlux && { forFlux }),
      ...(sharedWith.length > 0 && { sharedWith }),
    }
    this.#known.set(key, source)
    return source
  }
}

function parseOptions(text: string, field: string, renderers: readonly Renderer[]): RenderSource['options'] {
  if (text === '') return {}
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (cause) {
    throw new InvalidInputError(`options_json is not valid JSON: ${errorMessage(cause)}`)
  }
  return parseSourceOptions(value, unplaced('', `spec.sourceHydrator.${field || 'drySource'}.`), renderers)
}
