import assert from 'node:assert/strict'
import { test } from 'node:test'
import { RenderFixture, testSource, testTools } from '../render-fixture.ts'

const tools = await testTools()

function configMap(name: string, end = '\n'): string {
  return `apiVersion: v1${end}kind: ConfigMap${end}metadata: {name: ${name}}${end}`
}

for (const [what, text, warning] of [
  ['LF', `${configMap('a')}---\n${configMap('b')}`, undefined],
  ['CR LF', `${configMap('a', '\r\n')}---\r\n${configMap('b', '\r\n')}`, undefined],
  ['a byte order mark at its begin', `\ufeff${configMap('a')}`, undefined],
  [
    'CR before a marker',
    `${configMap('a', '\r')}---\n${configMap('b')}`,
    /^web\/a\.yaml:3: the line before "---"/,
  ],
  [
    'U+2028 before a marker',
    `${configMap('a').trimEnd()}\u2028---\n${configMap('b')}`,
    /the line before "---"/,
  ],
  ['CR CR LF', configMap('a').replace('\n', '\r\r\n'), /^web\/a\.yaml:1: a line ends in CR CR LF/],
  [
    'a byte order mark inside',
    `${configMap('a')}data: {x: "\ufeffy"}\n`,
    /^web\/a\.yaml:4: a byte order mark inside the text/,
  ],
] as const) {
  test(`a text with ${what} ${warning === undefined ? 'is read as by Argo CD' : 'has a warning with its line'}`, async () => {
    await using fixture = new RenderFixture(tools, { 'web/a.yaml': text })
    const { record } = await fixture.render(testSource('web'))
    if (warning === undefined) assert.deepEqual(record.warnings, [])
    else {
      assert.equal(record.warnings.length, 1)
      assert.match(record.warnings[0] ?? '', warning)
    }
  })
}
