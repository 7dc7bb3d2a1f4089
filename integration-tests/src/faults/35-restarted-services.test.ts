import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { CrashScene, sharedCrashMesh } from '../crash-fixture.ts'
import { isHydratedAt, waitForApplication } from '../gateway-fixture.ts'

for (const service of ['repo-server', 'commit-server'] as const) {
  test(`a restart of ${service} is no failure of an Application`, async () => {
    const { fixture, processes } = await sharedCrashMesh()
    await using scene = await CrashScene.open(fixture, `restarted-${service}`)
    const [name = ''] = scene.names
    const isHydrated = isHydratedAt(scene.drySHAs.at(-1) ?? '')
    const phases = new Set<string>()
    const hydrated = waitForApplication(fixture.gateway, name, (state) => {
      phases.add(state.status.currentOperation?.phase ?? '')
      return isHydrated(state)
    })
    for (const each of processes[service]) await each.kill()
    await scene.ask()
    await pause(2_000)
    for (const each of processes[service]) await each.start()
    await hydrated
    assert.ok(!phases.has('Failed'), [...phases].join())
    await scene.assertWhole()
  })
}
