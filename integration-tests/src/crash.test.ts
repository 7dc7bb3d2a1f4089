import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { type CrashMesh, CrashScene, startCrashMesh } from './crash-fixture.ts'

const directory = await mkdtemp(join(tmpdir(), 'wadi-crash-'))
let mesh: CrashMesh
before(async () => {
  mesh = await startCrashMesh(join(directory, 'crash'))
})
after(async () => {
  await mesh[Symbol.asyncDispose]()
  await rm(directory, { recursive: true })
})

const moments = [
  'validate',
  'checkOperatorSettings',
  'reportStart',
  'hydrateGroups',
  'inspect',
  'render',
  'commit',
  'committed',
  'report',
  'finished',
]
for (const moment of moments) {
  test(`a hydrator that is killed at ${moment} leaves one hydrated commit per dry commit`, async () => {
    const [hydrator] = mesh.processes.hydrator
    const scene = await CrashScene.open(mesh.fixture, `hydrator-${moment.toLowerCase()}`)
    await mesh.crashHydratorAt(moment)
    // The gateway's call may end with the hydrator.
    await scene.ask().catch(() => undefined)
    await hydrator?.ended()
    await hydrator?.start()
    await scene.assertWhole()
  })
}

test('a commit-server that is killed before it pushes leaves one hydrated commit per dry commit', async () => {
  const [commitServer] = mesh.processes['commit-server']
  const scene = await CrashScene.open(mesh.fixture, 'before-push')
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

const hooks = [
  { name: 'while the push is received', hook: 'pre-receive', atomic: 'true' },
  { name: 'after the push', hook: 'post-receive', atomic: 'true' },
  { name: 'after the push and before the note', hook: 'post-receive', atomic: 'false' },
] as const
for (const [index, { name, hook, atomic }] of hooks.entries()) {
  test(`a commit-server that is killed ${name} leaves one hydrated commit per dry commit`, async () => {
    const [commitServer] = mesh.processes['commit-server']
    const config = { 'receive.advertiseAtomic': atomic }
    const scene = await CrashScene.open(mesh.fixture, `commit-server-${index}`, config)
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
