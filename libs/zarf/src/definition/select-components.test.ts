import assert from 'node:assert/strict'
import { test } from 'node:test'
import { InvalidInputError } from '@wadi/errors/domain-error.ts'
import { planOf } from '../package-fixture.ts'

const components =
  '  - {name: base, required: true}\n  - {name: web-a, default: true}\n  - {name: web-b}\n' +
  '  - {name: db-x, group: db}\n  - {name: db-y, group: db, default: true}\n'
const text = `kind: ZarfPackageConfig\nmetadata: {name: p}\ncomponents:\n${components}`

async function selected(
  requested: string | undefined,
  definition = text,
): Promise<readonly string[] | string> {
  const config = requested === undefined ? '{}' : `package: {deploy: {components: "${requested}"}}\n`
  return planOf({ 'p/zarf.yaml': definition, 'p/zarf-config.yaml': config }).then(
    (plan) => plan.components,
    (cause: unknown) => (cause instanceof InvalidInputError ? cause.message : Promise.reject(cause)),
  )
}

for (const [requested, expected] of [
  [undefined, ['base', 'web-a', 'db-y']],
  ['', ['base', 'web-a', 'db-y']],
  ['web-b', ['base', 'web-a', 'web-b', 'db-y']],
  ['web-*', ['base', 'web-a', 'web-b', 'db-y']],
  ['-web-*,-base', ['base', 'db-y']],
  ['*,-db-y', ['base', 'web-a', 'web-b', 'db-x']],
  ['db-x', ['base', 'web-a', 'db-x']],
  ['w[ei]b-?', ['base', 'web-a', 'web-b', 'db-y']],
  ['w[a-f]b-?', ['base', 'web-a', 'web-b', 'db-y']],
  ['w[^e]b-?', /no compatible components found: w\[\^e\]b-\?/],
  ['w[!x]b-?', /no compatible components found: w\[!x\]b-\?/],
  ['w[eb-?', /no compatible components found: w\[eb-\?: choose from/],
  ['db-*', /cannot specify multiple components from the same group: group: db selected: db-x, db-y/],
  ['-db-*', /no default or selected component found: choose from db-x, db-y/],
  ['nothing', /no compatible components found: nothing: choose from base, web-a, web-b, db-x, db-y/],
] as const) {
  test(`${requested ?? 'nothing'} selects ${expected instanceof RegExp ? 'nothing' : expected.join(', ')}`, async () => {
    const found = await selected(requested)
    if (expected instanceof RegExp) {
      assert.match(String(found), expected)
    } else {
      assert.deepEqual(found, expected)
    }
  })
}

test('a package of optional components says how to select, unless there is one that nothing was said of', async () => {
  const of = (list: string): string => `kind: ZarfPackageConfig\nmetadata: {name: p}\ncomponents: ${list}\n`
  assert.match(
    String(await selected(undefined, of('[{name: a}, {name: b}]'))),
    /no component is selected: choose from a, b/,
  )
  assert.match(
    String(await selected(undefined, of('[{name: a, required: false}]'))),
    /no component is selected/,
  )
  assert.match(String(await selected('-a', of('[{name: a}]'))), /no component is selected/)
  assert.deepEqual(await selected(undefined, of('[{name: a}]')), ['a'])
})
