import { test } from 'node:test'
import { CrashScene, sharedCrashMesh } from '../crash-fixture.ts'

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
  test(`a hydrator that is killed at ${moment} leaves one whole hydrated commit for each dry commit`, async () => {
    const mesh = await sharedCrashMesh()
    const [hydrator] = mesh.processes.hydrator
    await using scene = await CrashScene.open(mesh.fixture, `hydrator-${moment.toLowerCase()}`)
    await mesh.crashHydratorAt(moment)
    // The gateway's call may end with the hydrator.
    await scene.ask().catch(() => undefined)
    await hydrator?.ended()
    await hydrator?.start()
    await scene.assertWhole()
  })
}
