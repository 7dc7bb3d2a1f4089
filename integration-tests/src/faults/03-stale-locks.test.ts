import assert from 'node:assert/strict'
import { readdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import { CrashScene, sharedCrashMesh } from '../crash-fixture.ts'

test('locks that a killed git left in the mirrors hold nothing up after the restart', async () => {
  const mesh = await sharedCrashMesh()
  await using scene = await CrashScene.open(mesh.fixture, 'locked')
  const killed = [...mesh.processes['repo-server'], ...mesh.processes['commit-server']]
  for (const service of killed) await service.kill()
  const data = join(mesh.fixture.directory, 'data')
  const heads = (await readdir(data, { recursive: true })).filter((path) =>
    /\/mirrors\/[^/]+\.git\/HEAD$/u.test(path),
  )
  for (const owner of ['repo-server', 'commit-server']) {
    assert.ok(
      heads.some((head) => head.startsWith(`${owner}/`)),
      `${owner} has no mirror`,
    )
  }
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
