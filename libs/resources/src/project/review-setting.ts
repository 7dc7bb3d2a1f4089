import type { FieldReader } from '@wadi/fields/field-reader.ts'
import { annotationChoice } from '../annotation-choice.ts'

const words = ['off', 'summary', 'diffs-if-private', 'diffs'] as const

/**
 * The details of a project's Applications that pull requests show to everybody who may read the dry repository: none,
 * the number of changes, or their names, errors and diffs. `diffs-if-private` is `diffs` while the forge reports the
 * repository as private, and `summary` otherwise.
 */
export type ReviewSetting = (typeof words)[number]

/** The commit status of reviews, and the marker of their comment. */
export const reviewName = 'wadi/diff'

/** The annotation of AppProjects that says it. */
export const reviewAnnotation = 'wadi.dev/reviews'

/** Reads what a project says of pull requests; undefined when it says nothing. */
export function readReviewSetting(
  annotations: Readonly<Record<string, string>>,
  reader: FieldReader,
): ReviewSetting | undefined {
  return annotationChoice(annotations, reviewAnnotation, words, reader)
}
