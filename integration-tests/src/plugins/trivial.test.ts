import assert from 'node:assert/strict'
import { testSource } from '@wadi/rendering/run/render-fixture.ts'
import { testPlugin } from './shipped-plugin-fixture.ts'

const suffix = (value: string) => [{ name: 'cm-name-suffix', string: value }]

testPlugin(
  'trivial',
  'the trivial plugin makes a ConfigMap whose name ends in its parameter',
  async (trivial) => {
    await using repository = trivial.repository({ 'apps/one/trivial-cmp': '' })
    assert.deepEqual(await trivial.render(repository, 'apps/one', suffix('blue')), [
      '{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"trivial-blue"}}',
    ])
  },
)

testPlugin(
  'trivial',
  'the trivial plugin refuses values that would break out of its JSON, and none',
  async (trivial) => {
    await using repository = trivial.repository({ 'apps/one/trivial-cmp': '' })
    for (const value of ['a"b', 'a\nb', '%s', '$(id)', 'A', '-a', 'a-', 'ä', '']) {
      await assert.rejects(
        trivial.render(repository, 'apps/one', suffix(value)),
        { name: 'InvalidInputError', message: /cm-name-suffix: give lower-case letters/ },
        JSON.stringify(value),
      )
    }
    await assert.rejects(trivial.render(repository, 'apps/one'), /cm-name-suffix/)
  },
)

testPlugin(
  'trivial',
  'the trivial plugin announces its parameter and takes its own directories alone',
  async (trivial) => {
    await using repository = trivial.repository({ 'one/trivial-cmp': '', 'two/values.yaml': '' })
    const [report] = await trivial.plugins.report()
    assert.deepEqual(report?.warnings, [])
    assert.deepEqual(
      report.staticAnnouncements.map(({ name, required }) => [name, required]),
      [['cm-name-suffix', true]],
    )
    assert.deepEqual(report.plugin?.discovery, { by: 'fileName', pattern: './trivial-cmp' })
    const inspected = async (path: string) => (await repository.inspect(testSource(path))).renderer
    assert.deepEqual([await inspected('one'), await inspected('two')], ['plugin', 'directory'])
  },
)
