import type { FieldReader } from '@wadi/fields/field-reader.ts'
import { annotationChoice } from '../annotation-choice.ts'

const syncToolAnnotation = 'wadi.dev/sync-tool'
const syncTools = ['argo-cd', 'flux'] as const

/** The tools that apply hydrated directories. */
export type SyncTool = (typeof syncTools)[number]

/** Reads the tool that the annotations of an Application or AppProject name and notes the errors. */
export function readSyncTool(
  annotations: Readonly<Record<string, string>>,
  reader: FieldReader,
): SyncTool | undefined {
  return annotationChoice(annotations, syncToolAnnotation, syncTools, reader)
}

/**
 * Returns whether Flux applies the hydrated directory of an Application.
 * @param ofProject the tool that its project names, for one that names none
 */
export function isForFlux(annotations: Readonly<Record<string, string>>, ofProject?: SyncTool): boolean {
  return (annotations[syncToolAnnotation] ?? ofProject) === 'flux'
}
