import { unplaced } from '@wadi/fields/field-places.ts'
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sourceOptionFields } from '@wadi/resources/application/source-fields.ts'
import { defaultRenderers } from '@wadi/rendering/renderers/renderers.ts'
import { parseSourceOptions } from '@wadi/rendering/source/source-options.ts'
import type { SourceOptions } from '@wadi/rendering/source/source.ts'

type Options = { readonly [Name in keyof SourceOptions]-?: NonNullable<SourceOptions[Name]> }

/** The names of the fields of a type; a name that is missing does not compile. */
type NamesOf<Fields> = { readonly [Field in keyof Fields]-?: unknown }

test('the names that a stored Application may use are those that renderers read', () => {
  const helm: NamesOf<Options['helm']> = sourceOptionFields.helm
  const kustomize: NamesOf<Options['kustomize']> = sourceOptionFields.kustomize
  const directory: NamesOf<Options['directory']> = sourceOptionFields.directory
  const plugin: NamesOf<Options['plugin']> = sourceOptionFields.plugin
  const jsonnet: NamesOf<NonNullable<Options['directory']['jsonnet']>> = sourceOptionFields.directory.jsonnet
  const patch: NamesOf<NonNullable<Options['kustomize']['patches']>[number]> =
    sourceOptionFields.kustomize.patches
  const target: NamesOf<NonNullable<NonNullable<Options['kustomize']['patches']>[number]['target']>> =
    sourceOptionFields.kustomize.patches.target
  for (const [tool, names] of Object.entries({ helm, kustomize, directory, plugin })) {
    for (const name of Object.keys(names))
      assert.doesNotMatch(errorOf({ [tool]: { [name]: 7n } }), /unknown field/)
  }
  for (const name of Object.keys(jsonnet)) {
    assert.doesNotMatch(errorOf({ directory: { jsonnet: { [name]: 7n } } }), /unknown field/)
  }
  for (const name of Object.keys(patch)) {
    assert.doesNotMatch(errorOf({ kustomize: { patches: [{ [name]: 7n }] } }), /unknown field/)
  }
  for (const name of Object.keys(target)) {
    assert.doesNotMatch(errorOf({ kustomize: { patches: [{ target: { [name]: 7n } }] } }), /unknown field/)
  }
  assert.match(
    errorOf({ helm: { valueFile: [] } }),
    /^unknown field helm\.valueFile; did you mean valueFiles\?$/,
  )
})

function errorOf(options: unknown): string {
  try {
    parseSourceOptions(options, unplaced(''), defaultRenderers)
    return ''
  } catch (error) {
    assert.ok(error instanceof Error)
    return error.message
  }
}
