import assert from 'node:assert/strict'
import { mkdir, mkdtempDisposable, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { before, test } from 'node:test'
import { cacheHome } from '@wadi/testing/tool-cache.ts'
import { openDirectoryTree } from '@wadi/file-trees/directory-tree.ts'
import { noPlugins } from '@wadi/rendering/renderers/plugin/plugins.ts'
import { testRevision, testSource } from '@wadi/rendering/run/render-fixture.ts'
import { inspectTree, renderTree } from './render-tree.ts'

before(() => {
  process.env['XDG_CACHE_HOME'] = cacheHome
})

const chart = {
  'web/Chart.yaml': 'apiVersion: v2\nname: web\nversion: 1.0.0\n',
  'web/templates/a.yaml':
    'apiVersion: v1\nkind: Secret\nmetadata:\n  name: web\nstringData:\n  password: {{ randAlphaNum 16 }}\n',
}

async function inDirectory<Result>(
  files: Record<string, string>,
  task: (...source: Parameters<typeof renderTree>) => Promise<Result>,
): Promise<Result> {
  await using directory = await mkdtempDisposable(join(tmpdir(), 'wadi-render-tree-'))
  for (const [path, content] of Object.entries(files)) {
    await mkdir(dirname(join(directory.path, path)), { recursive: true })
    await writeFile(join(directory.path, path), content)
  }
  const { signal } = new AbortController()
  return await task(openDirectoryTree(directory.path), testSource('web'), testRevision, noPlugins, signal)
}

test('a local render reports what differs between renders', async () => {
  const { warnings } = await inDirectory(chart, renderTree)
  assert.match(
    warnings.join('\n'),
    /^renders differ in Secret web: stringData\.password .*randAlphaNum in web\/templates\/a\.yaml:6/m,
  )
})

test('a local render of a strict repository refuses a difference', async () => {
  await assert.rejects(inDirectory({ ...chart, 'wadi.yaml': 'determinism: strict\n' }, renderTree), {
    name: 'InvalidInputError',
    message: /^renders differ in Secret web: stringData\.password .*strict in wadi\.yaml/,
  })
})

test('a render to compare with is made once', async () => {
  const { warnings } = await inDirectory(chart, async (...source) => (await inspectTree(...source)).render())
  // A helm of this machine may be passed over, which is a warning of its own.
  assert.deepEqual(
    warnings.filter((warning) => !warning.startsWith('helm at ')),
    [],
  )
})
