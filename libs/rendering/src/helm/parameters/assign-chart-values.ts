import { isDeepStrictEqual } from 'node:util'
import { InvalidInputError, NotFoundError } from '@wadi/errors/domain-error.ts'
import type { OptionChanges, ParameterChanges } from '../../edit/assign-options.ts'
import { namedValueForm } from '../../edit/entry-forms.ts'
import { listChange } from '../../edit/list-change.ts'
import type { SourceOptions } from '../../source.ts'
import { parseSetName } from './helm-set.ts'

/**
 * Sets values of a chart, each as an item of `helm.parameters`.
 * @throws InvalidInputError for a name that Helm's `--set` does not take or a list or map as a whole
 * @throws NotFoundError for removing what is not set
 */
export function assignChartValues(options: SourceOptions, wanted: ParameterChanges): OptionChanges {
  const path = ['helm', 'parameters']
  if (wanted.assignments.length + wanted.removals.length === 0) return { changes: [], paths: [] }
  const before = options.helm?.parameters ?? []
  const entries = new Map(before.map(({ name, value = '' }) => [name, value]))
  const names = [...entries.keys()].join(', ')
  for (const name of wanted.removals) {
    if (entries.delete(name)) continue
    throw new NotFoundError(`${name} is not set by helm.parameters; set there are: ${names || 'none'}`)
  }
  for (const { target, value, whole } of wanted.assignments) {
    if (parseSetName(target) === undefined) {
      throw new InvalidInputError(
        `${JSON.stringify(target)} is not a name of a value; write it as for helm --set, for example image.tag, hosts[0] or annotations.example\\.com/a`,
      )
    }
    if (whole !== undefined && whole.kind !== 'string') {
      throw new InvalidInputError(`${target}: Helm takes no whole ${whole.kind}; set its items one by one`)
    }
    entries.set(target, whole === undefined ? value : whole.text)
  }
  const items = before.map(({ name, value, forceString }) => ({
    name,
    ...(value !== undefined && { value }),
    ...(forceString !== undefined && { forceString }),
  }))
  const isSame = isDeepStrictEqual(entries, new Map(before.map(({ name, value = '' }) => [name, value])))
  const changes = isSame ? [] : [listChange(path, items, namedValueForm, [...entries])]
  return { changes, paths: [path] }
}
