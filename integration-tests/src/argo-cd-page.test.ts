import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'

const root = join(import.meta.dirname, '../..')

/** The tests that the page names: a file and the name of a test in it. */
async function namedTests(): Promise<{ file: string; name: string }[]> {
  const page = await readFile(join(root, 'docs/reference/argo-cd.md'), 'utf8')
  const named = page.matchAll(/`([\w./-]+\.test\.ts)`[:,]\s+_([^_]+)_/g)
  return Array.from(named, ([, file = '', name = '']) => ({ file, name: name.replaceAll(/\s+/g, ' ') }))
}

test('each difference from Argo CD has a test of the name that the page gives it', async () => {
  const named = await namedTests()
  const page = await readFile(join(root, 'docs/reference/argo-cd.md'), 'utf8')
  assert.equal(named.length, page.split('.test.ts`').length - 1)
  const rows = page.split('\n').filter((line) => /^\| (?!---|\| )/.test(line))
  const [, same = ''] = page.split(/^## /m)
  for (const difference of [...rows, ...same.split('\n- ').slice(1)])
    assert.match(difference, /\.test\.ts`/, 'it has no test')
  for (const { file, name } of named) {
    const source = await readFile(join(root, file), 'utf8')
    const isThere = [`'${name}'`, `"${name}"`, `\`${name}`].some((quoted) => source.includes(quoted))
    assert.ok(isThere, `${file} has no test "${name}"`)
  }
})
