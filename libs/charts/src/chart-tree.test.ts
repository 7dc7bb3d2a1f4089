import assert from 'node:assert/strict'
import { buffer } from 'node:stream/consumers'
import { test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { pack } from 'tar-stream'
import { openChartTree } from './chart-tree.ts'

async function archiveOf(files: Record<string, string>, links: Record<string, string> = {}): Promise<Buffer> {
  const archive = pack()
  for (const [name, text] of Object.entries(files)) archive.entry({ name }, text)
  for (const [name, linkname] of Object.entries(links)) archive.entry({ name, type: 'symlink', linkname })
  archive.finalize()
  return gzipSync(await buffer(archive))
}

const chart = { 'web/Chart.yaml': 'name: web\n', 'web/templates/a.yaml': 'a\n' }

test('the directory of the archive is the root, and links are left out', async () => {
  const { tree } = await openChartTree(await archiveOf(chart, { 'web/link': '/etc/passwd' }), 'chart web')
  assert.deepEqual(
    (await tree.list('')).map(({ name, kind }) => [name, kind]),
    [
      ['Chart.yaml', 'file'],
      ['templates', 'directory'],
    ],
  )
  assert.equal((await tree.read('templates/a.yaml', 10)).toString(), 'a\n')
  assert.equal(await tree.entry('link'), undefined)
})

test('equal files have equal directories, and a change below shows in all above', async () => {
  const idOf = async (files: Record<string, string>, path: string) =>
    (await (await openChartTree(await archiveOf(files), 'chart web')).tree.entry(path))?.id
  const other = { ...chart, 'web/templates/b.yaml': 'b\n' }
  assert.equal(await idOf(chart, ''), await idOf({ ...chart }, ''))
  assert.notEqual(await idOf(chart, ''), await idOf(other, ''))
  assert.notEqual(await idOf(chart, 'templates'), await idOf(other, 'templates'))
})

test('an archive with a path out of it, without a chart, or that is none, is an error that names the chart', async () => {
  for (const files of [
    { ...chart, 'web/../../etc/passwd': 'x' },
    { ...chart, 'web//x': 'x' },
    { ...chart, 'web/a\\b': 'x' },
    { ...chart, 'web/templates': 'x' },
    { 'web/values.yaml': '' },
  ]) {
    await assert.rejects(openChartTree(await archiveOf(files), 'chart web'), {
      name: 'InvalidInputError',
      message: /^chart web: /,
    })
  }
  await assert.rejects(
    openChartTree(Buffer.from('not an archive'), 'chart web'),
    /chart web: cannot be unpacked/,
  )
})
