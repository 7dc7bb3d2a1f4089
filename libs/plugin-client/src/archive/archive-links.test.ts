import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checkLinks } from './archive-links.ts'

function check(links: Readonly<Record<string, string>>): string[] {
  return checkLinks(new Map(Object.entries(links)))
}

test('links inside are accepted, dangling ones too, and those to the root are named', () => {
  assert.deepEqual(check({ a: 'b/c', 'd/e': '../b', 'd/f': './/../d/./e', nowhere: 'x/y' }), [])
  assert.deepEqual(check({ top: '.', 'a/up': '..', 'a/b': 'up/c', 'a/c': 'up' }), ['top', 'a/up', 'a/c'])
  assert.deepEqual(check({ deep: 'x/y', 'a/by-text': '../deep/..' }), ['a/by-text'])
})

test('a link that is absolute or leads out is refused by its name', () => {
  const outOfBounds = (file: string) => ({
    name: 'InvalidInputError',
    message: new RegExp(`^repository contains out-of-bounds symlinks\\. file: ${file} leads to `),
  })
  assert.throws(() => check({ ok: 'b', absolute: '/etc/passwd' }), outOfBounds('absolute'))
  assert.throws(() => check({ 'a/b': '../../c' }), outOfBounds('a/b'))
  assert.throws(() => check({ 'a/b': '../c/../../d' }), outOfBounds('a/b'))
  // By its text this one stays inside; through the other link it does not.
  assert.throws(() => check({ 'x/y/z/in': '../../..', 'x/y/out': 'z/in/../../x' }), outOfBounds('x/y/out'))
})

test('links in a circle and far too many links are refused', () => {
  const loops = { name: 'InvalidInputError', message: /^symlink "a" loops/ }
  assert.throws(() => check({ a: 'b', b: 'a' }), loops)
  assert.throws(() => check({ a: 'a/a' }), loops)
  const way = `${'x/../'.repeat(800)}x`
  const many = new Map(Array.from({ length: 2000 }, (_, index) => [`l${index}`, way]))
  assert.throws(() => checkLinks(many), /too many symlinks/)
})

test('checking takes no longer when links lead deep down', () => {
  const way = `${'d/'.repeat(2_000)}x`
  const many = new Map(Array.from({ length: 3_000 }, (_, index) => [`l${index}`, way]))
  const startedAt = performance.now()
  assert.throws(() => checkLinks(many), /too many symlinks/)
  const took = performance.now() - startedAt
  assert.ok(took < 5_000, `took ${took} ms`)
})
