import assert from 'node:assert/strict'
import { test } from 'node:test'
import compile from 'icu-minify/compile'
import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { catalogueKey, formatMessage } from './format-message.ts'
import { t } from './t.ts'

const branches = '{count, plural, one {# branch} other {# branches}}'

test('an English text has its values, and plurals their forms', () => {
  assert.equal(t('Copy {name}', { name: 'web' }), 'Copy web')
  assert.equal(t(branches, { count: 1 }), '1 branch')
  assert.equal(t(branches, { count: 2_000 }), '2,000 branches')
  // @ts-expect-error: the value is missing.
  assert.equal(t('Copy {name}', {}), 'Copy undefined')
  // @ts-expect-error: a number would not have the form of the language.
  assert.equal(t('Copy {name}', { name: 1 }), 'Copy 1')
  // @ts-expect-error: no catalogue has this text.
  assert.equal(t('a text that no catalogue has'), 'a text that no catalogue has')
})

test('another language has its own plural forms and numbers, and English where a row is missing', () => {
  const few = '{count, plural, one {# větev} few {# větve} other {# větví}}'
  const catalogue = { [catalogueKey(compile(branches))]: compile(few) }
  const textOf = (count: number) => formatMessage(compile(branches), { count }, { catalogue, locale: 'cs' })
  assert.deepEqual([1, 3, 2_000].map(textOf), ['1 větev', '3 větve', '2\u00A0000 větví'])
  assert.equal(formatMessage('Copy', undefined, { catalogue, locale: 'cs' }), 'Copy')
})

test('the element of a tag has the text between its tags', () => {
  const text = 'The console has no <code>{path}</code>. The address may be mistyped, or the link incomplete.'
  const drawn = t.rich(text, { path: '/x', code: createElement('code', { title: 'y' }) })
  assert.equal(
    renderToStaticMarkup(drawn),
    'The console has no <code title="y">/x</code>. The address may be mistyped, or the link incomplete.',
  )
})
