import type { ParameterEdit } from '../../plan/parameter-view.ts'
import type { SourceOptions } from '../../source/source.ts'
import type { OptionChanges } from './assign-options.ts'
import { comparable, withChange } from './option-comparison.ts'

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
