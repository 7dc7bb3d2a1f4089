import { after, before, test } from 'node:test'
import { CrashScene, sharedCrashMesh } from '../crash-fixture.ts'

let scene: CrashScene
before(async () => {
  const { fixture } = await sharedCrashMesh()
  scene = await CrashScene.open(fixture, 'killed-hydrator')
})
after(() => scene[Symbol.asyncDispose]())

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
for (const [index, moment] of moments.entries()) {
  test(`a hydrator that is killed at ${moment} leaves one whole hydrated commit for each dry commit`, async () => {
    const mesh = await sharedCrashMesh()
    const [hydrator] = mesh.processes.hydrator
    // The first of them finds a dry commit that is not hydrated.
    if (index > 0) await scene.advance()
    await mesh.crashHydratorAt(moment)
    // The gateway's call may end with the hydrator.
    await scene.ask().catch(() => undefined)
    await hydrator?.ended()
    await hydrator?.start()
    await scene.assertWhole()
  })
}
