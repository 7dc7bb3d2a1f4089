import assert from 'node:assert/strict'
import { test } from 'node:test'
import { catalogueProblems } from './catalogue-problems.ts'
import { withCompiledMessages } from './compile-messages.ts'
import { messageCalls, parseSource } from './message-calls.ts'
import { untranslatedTexts } from './untranslated.ts'

test('calls are found in TypeScript with JSX, and compiled where the message has values', () => {
  const source =
    "const a = <b title={t('Copy')}>{t.rich('No <code>{path}</code>', { path, code })}</b>; t(name)"
  const calls = messageCalls(parseSource('a.tsx', source))
  assert.deepEqual(
    calls.map(({ message }) => message),
    ['Copy', 'No <code>{path}</code>', undefined],
  )
  assert.equal(
    withCompiledMessages("t('Copy'); t('{n, number} of {all}', { n, all })", 'a.ts'),
    't("Copy"); t([["n",4]," of ",["all"]], { n, all })',
  )
  assert.throws(() => withCompiledMessages('t(name)', 'a.ts'), /a\.ts: the text of t is a literal: name/)
})

test('a catalogue lacks nothing, has nothing more, and every text has the placeholders and plural forms', () => {
  const used = new Set(['Copy', 'Copy {name}', '{count, plural, one {# branch} other {# branches}}'])
  const rows = {
    Copy: 'Kopieren',
    'Copy {name}': '{name} kopieren',
    '{count, plural, one {# branch} other {# branches}}':
      '{count, plural, one {# Branch} other {# Branches}}',
  }
  assert.deepEqual(catalogueProblems(rows, 'de', used), [])
  assert.deepEqual(catalogueProblems({ ...rows, Copy: '' }, 'de', used), ['not translated: Copy'])
  assert.deepEqual(catalogueProblems(rows, 'de', new Set([...used].slice(1))), ['not used: Copy'])
  assert.deepEqual(catalogueProblems({ ...rows, 'Copy {name}': "l'{name}" }, 'de', used), [
    'has the placeholders  instead of name: Copy {name}',
  ])
  assert.deepEqual(catalogueProblems(rows, 'pl', used), [
    'has no plural for few: {count, plural, one {# branch} other {# branches}}',
    'has no plural for many: {count, plural, one {# branch} other {# branches}}',
  ])
  const [first, ...others] = Object.entries(rows)
  assert.deepEqual(catalogueProblems(Object.fromEntries([...others, first ?? []]), 'de', used), [
    'not in the order of the English texts: Copy {name}',
  ])
})

test('literals that people read are found in contents, attributes and choices', () => {
  const source = `const a = (
    <b title="Copy" className="no text" aria-label={isOpen ? 'Close it' : t('Open')}>
      Some words {count} <Code>git push</Code> {isEmpty && 'none'} {\`\${count} of them\`} 7 – Wadi
    </b>
  )
  const column = { label: 'Name', value: 'not read' }`
  assert.deepEqual(
    untranslatedTexts(parseSource('a.tsx', source)).map(({ text }) => text),
    ['Some words', 'none', 'of them', 'Copy', 'Close it', 'Name'],
  )
})
