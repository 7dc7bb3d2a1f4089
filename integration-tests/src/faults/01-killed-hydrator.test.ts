import { mkdtempDisposable } from 'node:fs/promises'
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

for (const [when, moment] of [
  ['before it renders', 'reportStart'],
  ['while it renders', 'hydrateGroups'],
  ['after the commit landed', 'committed'],
] as const) {
  test(`a hydrator that is killed ${when} leaves one whole hydrated commit for each dry commit`, async () => {
    const [hydrator] = mesh.processes.hydrator
    const scene = await CrashScene.open(mesh.fixture, `killed-${moment.toLowerCase()}`)
    await mesh.crashHydratorAt(moment)
    // The gateway's call may end with the hydrator.
    await scene.ask().catch(() => undefined)
    await hydrator?.ended()
    await hydrator?.start()
    await scene.assertWhole()
  })
}
