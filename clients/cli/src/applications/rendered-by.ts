import type { JsonObject } from '@bufbuild/protobuf'
import { listAt } from '@wadi/fields/json-fields.ts'

const field = ['status', 'sourceHydrator', 'renderedBy'] as const

/** The fields that these functions read. */
export const rendererFields = [field.join('.')]

/** Returns the renderers of an Application, such as `helm`; none before a run has found them out. */
export function renderersOf(application: JsonObject): string[] {
  return listAt(application, ...field, 'renderers').map(String)
}

/** Returns the tools and plugins that render an Application with their versions, such as `helm v4.1.4`. */
export function toolsOf(application: JsonObject): string[] {
  return listAt(application, ...field, 'tools').map(String)
}
