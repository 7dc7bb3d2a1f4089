import { InvalidInputError } from '@wadi/errors/domain-error.ts'
import { locatedView } from '@wadi/params/values/located-view.ts'
import type { ValueType } from '@wadi/fields/field-view.ts'
import { wrongType } from '@wadi/fields/field-findings.ts'
import { partAt, partOf } from '@wadi/params/values/located.ts'
import { isList } from '@wadi/params/values/value-tree.ts'
import { type Located, isValueMap } from '@wadi/params/values/value.ts'
import { refuseUnknown } from '../plan/render-request.ts'
import type { PlanOptions } from '@wadi/zarf/plan/plan-package.ts'

const packageFields = ['values', 'components', 'flavor', 'variables']

/**
 * What `spec.package` of a `Render` says of the package: its values win over all others.
 * @throws InvalidInputError naming the place of a field that is unknown or of a wrong type
 */
export function packageOptions(given: Located | undefined): PlanOptions {
  if (given === undefined) return {}
  refuseUnknown(given, packageFields, 'spec.package')
  const values = partOf(given, 'values')
  if (values !== undefined && !isValueMap(values.value)) throw wrongPart(values, 'values', 'object')
  const components = partOf(given, 'components')
  const flavor = text(given, 'flavor')
  const names = components === undefined ? undefined : componentNames(components)
  return {
    ...(values === undefined ? {} : { operatorValues: values }),
    ...(names === undefined ? {} : { components: names }),
    ...(flavor === undefined ? {} : { flavor }),
    variables: variablesOf(partOf(given, 'variables')),
  }
}

function componentNames(components: Located): string {
  const names = isList(components.value) ? components.value : [components.value]
  return names
    .map((name) => {
      if (typeof name === 'string') return name
      throw wrong(components, 'components must be a string or a list of strings')
    })
    .join(',')
}

function variablesOf(given: Located | undefined): NonNullable<PlanOptions['variables']> {
  if (given === undefined) return new Map()
  if (!isValueMap(given.value)) throw wrongPart(given, 'variables', 'object')
  return new Map(
    [...given.value.keys()].map((name) => {
      const part = partAt(given, [name])
      if (typeof part?.value !== 'string') throw wrongPart(part ?? given, `variables.${name}`, 'string')
      const { value, at, derivedFrom } = part
      // Names of variables are in capitals, and whatever is written beside the package is read so too.
      return [name.toUpperCase(), derivedFrom === undefined ? { value, at } : { value, at, derivedFrom }]
    }),
  )
}

function text(given: Located, key: string): string | undefined {
  const part = partOf(given, key)
  if (part === undefined) return undefined
  if (typeof part.value === 'string') return part.value
  throw wrongPart(part, key, 'string')
}

function wrongPart(part: Located, field: string, wanted: ValueType): InvalidInputError {
  return wrong(part, `${field} ${wrongType(wanted, locatedView.typeOf(part))}`)
}

function wrong({ at }: Located, message: string): InvalidInputError {
  return new InvalidInputError(`Render: spec.package.${message}`, { at })
}
