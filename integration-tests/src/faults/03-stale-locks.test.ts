import assert from 'node:assert/strict'
import { mkdtempDisposable, readdir, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import { CrashScene, startCrashMesh } from '../crash-fixture.ts'

test('locks that a killed git left in the mirrors hold nothing up after the restart', async () => {
  await using folder = await mkdtempDisposable(join(tmpdir(), 'wadi-fault-'))
  await using mesh = await startCrashMesh(join(folder.path, 'crash'))
  const scene = await CrashScene.open(mesh.fixture, 'locked')
  const killed = [...mesh.processes['repo-server'], ...mesh.processes['commit-server']]
  for (const service of killed) await service.kill()
  const data = join(mesh.fixture.directory, 'data')
  const heads = (await readdir(data, { recursive: true })).filter((path) =>
    /\/mirrors\/[^/]+\.git\/HEAD$/u.test(path),
  )
  assert.equal(heads.length, 2)
  for (const mirror of heads.map((path) => join(data, dirname(path)))) {
    const refs = (await readdir(join(mirror, 'refs'), { recursive: true, withFileTypes: true }))
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, `${entry.name}.lock`))
    const locks = ['index.lock', 'config.lock', 'packed-refs.lock', 'HEAD.lock'].map((name) =>
      join(mirror, name),
    )
    for (const lock of [...locks, ...refs]) await writeFile(lock, '')
  }
  for (const service of killed) await service.start()
  await scene.ask()
  await scene.assertWhole()
})
