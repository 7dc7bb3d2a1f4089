import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checkLinks } from './archive-links.ts'

function check(links: Readonly<Record<string, string>>) {
  const { toRoot, unfit } = checkLinks(new Map(Object.entries(links)))
  return { toRoot, unfit: Object.fromEntries(unfit) }
}

test('links inside are accepted, dangling ones too, and those to the root are named', () => {
  const fit = (toRoot: readonly string[]) => ({ toRoot, unfit: {} })
  assert.deepEqual(check({ a: 'b/c', 'd/e': '../b', 'd/f': './/../d/./e', nowhere: 'x/y' }), fit([]))
  assert.deepEqual(check({ top: '.', 'a/up': '..', 'a/b': 'up/c', 'a/c': 'up' }), fit(['top', 'a/up', 'a/c']))
  assert.deepEqual(check({ deep: 'x/y', 'a/by-text': '../deep/..' }), fit(['a/by-text']))
})

test('a link that is absolute or leads out is unfit, and so is one through it', () => {
  const out = (target: string) => `leads out of the repository, to "${target}"`
  assert.deepEqual(check({ ok: 'b', absolute: '/etc/passwd', through: 'absolute/x' }).unfit, {
    absolute: out('/etc/passwd'),
    through: out('/etc/passwd'),
  })
  assert.deepEqual(check({ 'a/b': '../../c' }).unfit, { 'a/b': out('../../c') })
  assert.deepEqual(check({ 'a/b': '../c/../../d' }).unfit, { 'a/b': out('../c/../../d') })
  // By its text this one stays inside; through the other link it does not.
  assert.deepEqual(check({ 'x/y/z/in': '../../..', 'x/y/out': 'z/in/../../x' }), {
    toRoot: ['x/y/z/in'],
    unfit: { 'x/y/out': out('z/in/../../x') },
  })
})

test('links in a circle are unfit, and far too many links are refused', () => {
  const circle = 'leads in a circle'
  assert.deepEqual(check({ a: 'b', b: 'a', c: 'd' }).unfit, { a: circle, b: circle })
  assert.deepEqual(check({ a: 'a/a' }).unfit, { a: circle })
  const way = `${'x/../'.repeat(800)}x`
  const many = new Map(Array.from({ length: 2000 }, (_, index) => [`l${index}`, way]))
  assert.throws(() => checkLinks(many), { name: 'InvalidInputError', message: /too many symlinks/ })
})

test('checking takes no longer when links lead deep down', () => {
  const way = `${'d/'.repeat(2_000)}x`
  const many = new Map(Array.from({ length: 3_000 }, (_, index) => [`l${index}`, way]))
  const before = process.threadCpuUsage()
  assert.throws(() => checkLinks(many), /too many symlinks/)
  const { user, system } = process.threadCpuUsage(before)
  const milliseconds = (user + system) / 1_000
  assert.ok(milliseconds < 5_000, `took ${milliseconds} ms of this thread`)
})
