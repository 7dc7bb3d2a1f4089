import { writeFile, mkdtempDisposable } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { type CrashMesh, CrashScene, startCrashMesh } from '../crash-fixture.ts'

const owned = new AsyncDisposableStack()
let mesh: CrashMesh
before(async () => {
  const folder = owned.use(await mkdtempDisposable(join(tmpdir(), 'wadi-fault-')))
  mesh = owned.use(await startCrashMesh(join(folder.path, 'crash')))
})
after(() => owned.disposeAsync())

for (const [when, hook, atomic] of [
  ['while its push is received', 'pre-receive', 'true'],
  ['after the push and before the note', 'post-receive', 'false'],
] as const) {
  test(`a commit-server that is killed ${when} makes no second commit`, async () => {
    const [commitServer] = mesh.processes['commit-server']
    const config = { 'receive.advertiseAtomic': atomic }
    const scene = await CrashScene.open(mesh.fixture, `killed-${hook}`, config)
    const { repository } = scene
    await writeFile(join(repository.directory, 'victim'), String(commitServer?.pid))
    const killOnce = '#!/bin/sh\nmv victim killed 2>/dev/null && kill -9 "$(cat killed)"\nexit 0\n'
    await repository.setHook(hook, killOnce)
    await scene.ask()
    await commitServer?.ended()
    await commitServer?.start()
    await scene.ask()
    await scene.assertWhole()
  })
}
