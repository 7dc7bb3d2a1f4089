import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { InvalidInputError, NotFoundError } from '@wadi/errors/domain-error.ts'
import { unplaced } from '@wadi/fields/field-places.ts'
import { announcementOf } from '@wadi/plugins/announcements/announcement-of.ts'
import { testPlugins } from '../../renderers/plugin/plugins-fixture.ts'
import { RenderFixture, testSource, testTools } from '../../run/render-fixture.ts'
import { defaultRenderers } from '../../renderers/renderers.ts'
import { parseSourceOptions } from '../../source/source-options.ts'
import { announcingPlugin, changesOf, editSource } from '../../run/parameters-fixture.ts'

const tools = await testTools()

const announcements = [
  announcementOf({ name: 'image' }),
  announcementOf({ name: 'count', itemType: 'number' }),
  announcementOf({ name: 'hosts', collectionType: 'array', default: { kind: 'array', items: ['a', 'b'] } }),
  announcementOf({ name: 'labels', collectionType: 'map', default: { kind: 'map', entries: [['x', '1']] } }),
]

function pluginFixture(files: Readonly<Record<string, string>>): RenderFixture {
  const plugins = testPlugins(announcingPlugin('tool', announcements))
  return new RenderFixture(tools, { 'app/plain.yaml': '{}\n', ...files }, plugins)
}

/** Returns the source's `.argocd-source.yaml` after a change of a plugin's parameters. */
async function edited(text: string, inline: unknown, ...words: string[]): Promise<string> {
  await using fixture = pluginFixture(text === '' ? {} : { 'app/.argocd-source.yaml': text })
  const source = testSource(
    'app',
    parseSourceOptions({ plugin: inline }, unplaced('inline'), defaultRenderers),
  )
  const result = await editSource(fixture, source, changesOf(...words))
  assert.equal(result.path, 'app/.argocd-source.yaml')
  assert.equal(result.before, text)
  return result.after
}

const named = { name: 'tool' }

test('a first parameter makes the file, with texts that stay texts', async () => {
  assert.equal(
    await edited('', named, 'image=1.20', 'hosts[1]=on', 'labels.app.kubernetes.io/name=# : x', 'count=3'),
    `plugin:
  parameters:
    - name: image
      string: "1.20"
    - name: hosts
      array:
        - a
        - "on"
    - name: labels
      map:
        app.kubernetes.io/name: '# : x'
    - name: count
      string: "3"
`,
  )
})

test('parameters that the Application sets inline are taken along, as the list in git replaces theirs', async () => {
  const inline = {
    ...named,
    parameters: [
      { name: 'image', string: 'a' },
      { name: 'x', map: { k: '1' } },
    ],
  }
  assert.equal(
    await edited('', inline, 'image=b'),
    'plugin:\n  parameters:\n    - name: image\n      string: b\n    - name: x\n      map:\n        k: "1"\n',
  )
  assert.equal(
    await edited('', inline, 'image-'),
    'plugin:\n  parameters:\n    - name: x\n      map:\n        k: "1"\n',
  )
  assert.equal(await edited('', inline, 'image-', 'x-'), 'plugin:\n  parameters: null\n')
})

const file = `# parameters of the app
plugin:
  name: 'tool'
  parameters:
  - name: count   # how many
    string: '2'
  # the image
  - {name: image, string: nginx}
  - name: other
    value: 1.50
  - name: grouped
    group: g
    value: {number: 1}
`

test('other parameters keep their text, and the form of values that a plugin may look for', async () => {
  assert.equal(await edited(file, {}, 'image=b'), file.replace('string: nginx', 'string: "b"'))
  assert.equal(await edited(file, {}, 'count=3'), file.replace("'2'", '"3"'))
  assert.equal(await edited(file, {}, 'count-', 'image-'), file.replace(/ {2}- name: count[^]*nginx\}\n/, ''))
  assert.equal(await edited(file, {}, 'other=x'), file.replace('value: 1.50', 'value: x'))
  assert.equal(
    await edited(file, {}, 'grouped=2'),
    file.replace('    value: {number: 1}\n', '    string: "2"\n'),
  )
  assert.equal(await edited(file, {}, 'new.key=v'), `${file}  - name: new\n    map:\n      key: v\n`)
})

test('what is set already as wanted changes nothing', async () => {
  assert.equal(await edited(file, {}, 'image=nginx', 'count=2', 'other=1.50'), file)
  assert.equal(await edited('', named), '')
})

test('the file is empty after its last parameter', async () => {
  const only = 'plugin:\n  parameters:\n  - name: image\n    string: x\n'
  assert.equal(await edited(only, named, 'image-'), '')
  assert.equal(await edited(`# keep\n${only}`, named, 'image-'), '# keep\n')
  assert.equal(await edited(`${only}  name: tool\n`, {}, 'image-'), 'plugin:\n  name: tool\n')
  const inline = { ...named, parameters: [{ name: 'image', string: 'a' }] }
  assert.equal(await edited(only, inline, 'image-'), 'plugin:\n  parameters: null\n')
})

for (const text of [
  '{"plugin": {"name": "tool", "parameters": [{"name": "count", "string": "1"}]}}',
  'plugin:\r\n  name: tool\r\n  parameters:\r\n  - name: count\r\n    string: "1"\r\n',
  'plugin:\n  name:\ttool\n  parameters:\t# tab\n  - name:\tcount\n    string:\t"1"',
  'plugin: &p\n  name: tool\n  parameters: &l\n  - &i\n    name: count\n    string: &one "1"\n  - {name: z, string: *one}\n',
  '--- # start\n%YAML: x\n'.replace('%YAML: x\n', 'plugin: {name: tool}\n...\n'),
  'plugin:\n  <<: {name: tool}\n',
  'plugin:\n  name: tool\n  parameters: null\n',
  'plugin:\n  name: tool\n  parameters:\n',
  '\ufeffplugin:\n  name: tool # é😀\n',
]) {
  for (const value of ['v2', 'a\nb\n', '  lead', ': #', '- x', 'é😀\u2028', '"\'\\', 'true', '']) {
    test(`${JSON.stringify(value)} is set in ${JSON.stringify(text)} and nothing else`, async () => {
      await using fixture = pluginFixture({ 'app/.argocd-source.yaml': text })
      const source = testSource('app')
      const before = (await fixture.inspect(source)).options.plugin
      const changes = { assignments: [{ target: 'image', value }], removals: [] }
      const { after } = await editSource(fixture, source, changes)
      fixture.write('app/.argocd-source.yaml', after)
      const { options } = await fixture.inspect(source)
      const image = { name: 'image', group: '', string: value, form: 'flat', itemType: '', warnings: [] }
      assert.deepEqual(options.plugin, { ...before, parameters: [...(before?.parameters ?? []), image] })
      const back = await editSource(fixture, source, changesOf('image-'))
      fixture.write('app/.argocd-source.yaml', back.after)
      const { parameters = [], name } = (await fixture.inspect(source)).options.plugin ?? {}
      assert.deepEqual({ name, parameters }, { name: before?.name, parameters: before?.parameters ?? [] })
    })
  }
}

test('a change that an alias would carry elsewhere is left to a person', async () => {
  const text =
    'plugin:\n  name: tool\n  parameters:\n  - &i {name: image, string: &s x}\n  - {name: count, string: *s}\n'
  await assert.rejects(edited(text, {}, 'image=2'), {
    name: 'FailedPreconditionError',
    message: /^app\/\.argocd-source\.yaml must be edited by hand: it is written so/,
  })
  await assert.rejects(
    edited(text, {}, 'image-'),
    /must be edited by hand: app\/\.argocd-source\.yaml:\d+: the anchor s/,
  )
})

test('the file of the Application is edited when it decides, and the shared one otherwise', async () => {
  const shared = 'plugin:\n  parameters:\n  - {name: image, string: shared}\n'
  await using fixture = pluginFixture({
    'app/.argocd-source.yaml': shared,
    'app/.argocd-source-web.yaml': 'plugin:\n  name: tool\n',
  })
  const source = testSource('app')
  const first = await editSource(fixture, source, changesOf('image=b'))
  assert.deepEqual([first.path, first.after], ['app/.argocd-source.yaml', shared.replace('shared', '"b"')])
  const own = 'plugin:\n  name: tool\n  parameters:\n  - {name: count, string: "1"}\n'
  fixture.write('app/.argocd-source-web.yaml', own)
  const second = await editSource(fixture, source, changesOf('image=b'))
  assert.deepEqual(
    [second.path, second.after],
    ['app/.argocd-source-web.yaml', `${own}  - name: image\n    string: b\n`],
  )
  const third = await editSource(fixture, source, changesOf('count-'))
  assert.equal(third.after, 'plugin:\n  name: tool\n  parameters: null\n')
})

test('a link is followed to the file that git holds', async () => {
  await using fixture = pluginFixture({ 'shared/source.yaml': 'plugin:\n  name: tool\n' })
  fixture.link('app/.argocd-source.yaml', '../shared/source.yaml')
  fixture.link('linked', 'app')
  const { path, after } = await editSource(fixture, testSource('app'), changesOf('image=b'))
  assert.deepEqual([path, after.split('\n').length], ['shared/source.yaml', 6])
  await using bare = pluginFixture({})
  bare.link('linked', 'app')
  const source = testSource('linked', { plugin: { name: 'tool' } })
  assert.equal((await editSource(bare, source, changesOf('image=b'))).path, 'app/.argocd-source.yaml')
})

test('what the plugin would find wrong is reported and written all the same', async () => {
  await using fixture = pluginFixture({ 'app/.argocd-source.yaml': 'plugin:\n  name: tool\n' })
  const changes = {
    assignments: [{ target: 'image', value: '', whole: { kind: 'array' as const, items: ['a'] } }],
    removals: [],
  }
  const { after, problems } = await editSource(fixture, testSource('app'), changes)
  assert.deepEqual(problems, ['image: takes a single value, not a list'])
  assert.equal(after, 'plugin:\n  name: tool\n  parameters:\n    - name: image\n      array:\n        - a\n')
})

test('a NUL, half a character, a removal of nothing and an item past the end are refused', async () => {
  await assert.rejects(edited('', named, 'image=a\0b'), InvalidInputError)
  await assert.rejects(edited('', named, 'image=\ud800'), /"image": a NUL or half a character/)
  await assert.rejects(edited('', named, 'image-'), NotFoundError)
  await assert.rejects(edited('', named, 'hosts[7]=x'), /past the end/)
})

test('a file that is not UTF-8 is left alone, and a plain directory takes no parameters', async () => {
  await using fixture = pluginFixture({ 'app/.argocd-source.yaml': '' })
  writeFileSync(join(fixture.directory, 'app/.argocd-source.yaml'), Buffer.from([0x23, 0x20, 0xe9, 0x0a]))
  const source = testSource('app', { plugin: { name: 'tool' } })
  await assert.rejects(editSource(fixture, source, changesOf('image=b')), /is not UTF-8/)
  writeFileSync(join(fixture.directory, 'app/.argocd-source.yaml'), '')
  await assert.rejects(
    editSource(fixture, testSource('app', { directory: {} }), changesOf('recurse=true')),
    /plain directory, which takes no parameters/,
  )
})
