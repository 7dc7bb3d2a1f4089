import { InvalidInputError } from '@wadi/errors/domain-error.ts'
import { partOf } from '@wadi/params/values/located.ts'
import { isList } from '@wadi/params/values/value-tree.ts'
import type { Located } from '@wadi/params/values/value.ts'
import { renderFields } from '../../plan/render-options.ts'
import type { PlanOptions } from '@wadi/zarf/plan/plan-package.ts'

const packageFields = ['values', 'components', 'flavor', 'variables']
const above = 'spec.package.'

/**
 * Returns the options in the `spec.package` of a `Render`: its values override all others.
 * @throws InvalidInputError naming the place of a field that is unknown or of a wrong type
 */
export function packageOptions(given: Located | undefined): PlanOptions {
  if (given === undefined) return {}
  renderFields.known(given, packageFields, above)
  const values = renderFields.object(given, 'values', above)
  const components = renderFields.any(given, 'components')
  const flavor = renderFields.string(given, 'flavor', above)
  const names = components === undefined ? undefined : componentNames(components)
  return {
    ...(values === undefined ? {} : { operatorValues: values }),
    ...(names === undefined ? {} : { components: names }),
    ...(flavor === undefined ? {} : { flavor }),
    variables: variablesOf(given),
  }
}

function componentNames(components: Located): string {
  const names = isList(components.value) ? components.value : [components.value]
  return names
    .map((name) => {
      if (typeof name === 'string') return name
      const reason = `Render: ${above}components must be a string or a list of strings`
      throw new InvalidInputError(reason, { at: components.at, path: `${above}components` })
    })
    .join(',')
}

function variablesOf(given: Located): NonNullable<PlanOptions['variables']> {
  const texts = renderFields.stringMap(given, 'variables', above)
  const written = renderFields.object(given, 'variables', above) ?? given
  return new Map(
    [...texts].map(([name, value]) => {
      const { at, derivedFrom } = partOf(written, name) ?? written
      // Names of variables are in capitals, and whatever is written beside the package is read so too.
      return [name.toUpperCase(), derivedFrom === undefined ? { value, at } : { value, at, derivedFrom }]
    }),
  )
}
