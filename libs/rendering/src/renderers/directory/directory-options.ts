import { namedValueForm } from '../../parameters/edit/entry-forms.ts'
import {
  type SourceOption,
  entriesOption,
  switchOption,
  textOption,
} from '../../parameters/edit/source-option.ts'

/** The options of directories that users see as parameters. */
export const directoryOptions: readonly SourceOption[] = [
  switchOption({
    name: 'recurse',
    tooltip: 'Takes the files of directories below as well.',
    path: ['directory', 'recurse'],
  }),
  textOption({
    name: 'include',
    tooltip: 'The pattern that a file must match.',
    path: ['directory', 'include'],
  }),
  textOption({
    name: 'exclude',
    tooltip: 'The pattern that a file must not match.',
    path: ['directory', 'exclude'],
  }),
  entriesOption(
    {
      name: 'jsonnet-ext-vars',
      tooltip: 'External variables of Jsonnet.',
      path: ['directory', 'jsonnet', 'extVars'],
    },
    'string',
    namedValueForm,
  ),
  entriesOption(
    {
      name: 'jsonnet-tlas',
      tooltip: 'Top-level arguments of Jsonnet.',
      path: ['directory', 'jsonnet', 'tlas'],
    },
    'string',
    namedValueForm,
  ),
]
