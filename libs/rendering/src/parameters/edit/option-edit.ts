import type { SourceOptions } from '../../source/source.ts'
import type { OptionChanges } from './assign-options.ts'
import { type ComparableOptions, comparable, withChange } from './option-comparison.ts'

/** The changes of a file, and the options expected from them. */
export interface ParameterEdit extends OptionChanges {
  readonly wanted: ComparableOptions
  /** The problems of the parameters, each a sentence. */
  readonly problems: string[]
  /** Possible mistakes, each a sentence. */
  readonly warnings?: readonly string[]
}

/** The edit that makes all changes of a source's options. */
export function optionEdit(options: SourceOptions, parts: readonly OptionChanges[]): ParameterEdit {
  const changes = parts.flatMap((part) => part.changes)
  return {
    changes,
    paths: parts.flatMap((part) => part.paths),
    wanted: changes.reduce(withChange, comparable(options)),
    problems: [],
  }
}
