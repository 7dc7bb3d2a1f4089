import type { FieldReader } from '@wadi/fields/field-reader.ts'
import { annotationChoice } from '../annotation-choice.ts'

/** The annotation of Applications that names what applies their hydrated directory. */
const syncToolAnnotation = 'wadi.dev/sync-tool'

const syncTools = ['argo-cd', 'flux'] as const

/** Reads the tool that the annotations of an Application name and notes the errors. */
export function readSyncTool(annotations: Readonly<Record<string, string>>, reader: FieldReader): void {
  annotationChoice(annotations, syncToolAnnotation, syncTools, reader)
}

/** Returns whether Flux applies the hydrated directory of an Application. */
export function isForFlux(annotations: Readonly<Record<string, string>>): boolean {
  return annotations[syncToolAnnotation] === 'flux'
}
