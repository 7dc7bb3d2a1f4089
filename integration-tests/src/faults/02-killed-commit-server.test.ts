import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { CrashScene, sharedCrashMesh } from '../crash-fixture.ts'

test('a commit-server that is killed before it pushes leaves one hydrated commit for each dry commit', async () => {
  const mesh = await sharedCrashMesh()
  const [commitServer] = mesh.processes['commit-server']
  await using scene = await CrashScene.open(mesh.fixture, 'before-push')
  const killed = Promise.withResolvers<void>()
  mesh.git.listen(async ({ service, path }) => {
    if (service !== 'git-receive-pack' || !path.includes('/before-push.git/')) return undefined
    mesh.git.listen(undefined)
    await commitServer?.kill()
    killed.resolve()
    return 503
  })
  await scene.ask()
  await killed.promise
  await commitServer?.start()
  await scene.ask()
  await scene.assertWhole()
})

const kills = [
  { when: 'while its push is received', hook: 'pre-receive', atomic: 'true' },
  { when: 'after the push', hook: 'post-receive', atomic: 'true' },
  { when: 'after the push and before the note', hook: 'post-receive', atomic: 'false' },
] as const
for (const [index, { when, hook, atomic }] of kills.entries()) {
  test(`a commit-server that is killed ${when} makes no second commit`, async () => {
    const mesh = await sharedCrashMesh()
    const [commitServer] = mesh.processes['commit-server']
    const config = { 'receive.advertiseAtomic': atomic }
    await using scene = await CrashScene.open(mesh.fixture, `commit-server-${index}`, config)
    const { repository } = scene
    await writeFile(join(repository.directory, 'victim'), String(commitServer?.pid))
    await repository.setHook(
      hook,
      '#!/bin/sh\nmv victim killed 2>/dev/null && kill -9 "$(cat killed)"\nexit 0\n',
    )
    await scene.ask()
    await commitServer?.ended()
    await commitServer?.start()
    await scene.ask()
    await scene.assertWhole()
  })
}
