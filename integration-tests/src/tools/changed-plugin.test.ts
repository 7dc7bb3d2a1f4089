import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { test } from 'node:test'
import { until } from '@wadi/testing/until.ts'
import { isHydratedAt, isSettled } from '../gateway-fixture.ts'
import { startMeshFixture } from '../mesh-fixture.ts'

/** A program that prints a ConfigMap of the file beside it. */
function program(directory: string, word: string, remark = ''): string {
  const text = `#!/bin/sh\n# ${remark}\nprintf '{"kind":"ConfigMap","apiVersion":"v1","metadata":{"name":"a"},"data":{"size":"${word}-%s"}}' "$(cat size.txt)"\n`
  writeFileSync(path.join(directory, 'make-size'), text)
  chmodSync(path.join(directory, 'make-size'), 0o755)
  return createHash('sha256').update(text).digest('hex')
}

test('another program of a plugin is a change of a tool: it renders again, and equal results make no commit', async () => {
  const directory = mkdtempSync(path.join(tmpdir(), 'wadi-changed-plugin-'))
  using _ = { [Symbol.dispose]: () => rmSync(directory, { recursive: true }) }
  const first = program(directory, 'one')
  const plugin = path.join(directory, 'plugin.yaml')
  const spec = {
    version: 'v1.2',
    generate: { command: [path.join(directory, 'make-size')] },
    discover: { fileName: '*.txt' },
  }
  writeFileSync(plugin, JSON.stringify({ kind: 'ConfigManagementPlugin', metadata: { name: 'sizes' }, spec }))
  await using mesh = await startMeshFixture({ plugins: [plugin] })
  const { fixture } = mesh
  const repository = await fixture.createRepository('sizes', { 'one/size.txt': '1', 'two/size.txt': '2' })
  const branch = 'environments/sizes'
  const common = { repoURL: repository.url, branch }
  const dry = await repository.dry.head()
  await fixture.applyAndWait(dry, { ...common, name: 'one' }, { ...common, name: 'two' })
  const recorded = async () => {
    const { tools } = JSON.parse(await repository.read(branch, 'one/hydrator.metadata'))
    assert.equal(tools.length, 1)
    return tools[0]
  }
  const { version, ...tool } = await recorded()
  assert.deepEqual(tool, { name: 'plugin sizes', sha256: first })
  assert.match(version, /^v1\.2\+sha256\.[0-9a-f]{12}$/)
  const head = await repository.head(branch)

  const run = async () => {
    await fixture.gateway.applications.hydrateApplication({ name: 'one' })
    await fixture.waitFor('one', (state) => isSettled(state) && isHydratedAt(dry)(state))
  }
  program(directory, 'one', 'the same output')
  await run()
  assert.equal(await repository.head(branch), head)
  assert.equal((await recorded()).version, version)

  const third = program(directory, 'three')
  await run()
  await until(async () => (await repository.head(branch)) !== head)
  const now = await recorded()
  assert.deepEqual([now.name, now.sha256], ['plugin sizes', third])
  assert.match(
    await repository.commitField(await repository.head(branch), '%B'),
    RegExp(
      `^Tool-changed: plugin sizes ${version.replace(/[+.]/g, '\\$&')} to v1\\.2\\+sha256\\.[0-9a-f]{12} in 2 directories$`,
      'm',
    ),
  )
  assert.match(await repository.read(branch, 'two/manifest.yaml'), /size: three-2/)
})
