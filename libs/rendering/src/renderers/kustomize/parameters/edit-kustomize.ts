import { InvalidInputError } from '@wadi/errors/domain-error.ts'
import {
  type ParameterChanges,
  assignOptions,
  splitChanges,
} from '../../../parameters/edit/assign-options.ts'
import { type ParameterEdit, optionEdit } from '../../../parameters/edit/option-edit.ts'
import type { SourceOptions } from '../../../source/source.ts'
import { kustomizeOptions } from './kustomize-options.ts'

/**
 * The edit that sets options of a kustomization.
 * @throws InvalidInputError for a name that is none of them
 */
export function editKustomize(options: SourceOptions, wanted: ParameterChanges): ParameterEdit {
  const { ofOptions, others } = splitChanges(kustomizeOptions, wanted)
  const [unknown] = [...others.removals, ...others.assignments.map(({ target }) => target)]
  if (unknown !== undefined) {
    const names = kustomizeOptions.map(({ name }) => name).join(', ')
    throw new InvalidInputError(`unknown parameter ${JSON.stringify(unknown)}; expected one of ${names}`)
  }
  return optionEdit(options, [assignOptions(kustomizeOptions, options, ofOptions)])
}
