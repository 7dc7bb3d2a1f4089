import assert from 'node:assert/strict'
import { mkdtempDisposable, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { after, before, suite, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { until } from '@wadi/testing/until.ts'
import { configMap } from '../application-fixture.ts'
import { applicationNames, namesGenerator, setObject } from '../application-sets/set-fixture.ts'
import { isHydratedAt } from '../gateway-fixture.ts'
import { type ProcessMesh, startProcessMesh } from '../process-mesh-fixture.ts'

const frozenMs = 1_000

suite('services of plugins and ApplicationSets that are frozen', () => {
  const owned = new AsyncDisposableStack()
  let mesh: ProcessMesh
  before(async () => {
    const { path: directory } = owned.use(await mkdtempDisposable(path.join(tmpdir(), 'wadi-frozen-')))
    const plugin = path.join(directory, 'plugin.yaml')
    const metadata = { name: 'slow' }
    const spec = { generate: { command: ['sh', '-c', 'cat *.yaml'] } }
    await writeFile(plugin, JSON.stringify({ kind: 'ConfigManagementPlugin', metadata, spec }))
    const together = ['repo-server', 'commit-server', 'hydrator', 'api-gateway'] as const
    mesh = owned.use(await startProcessMesh({ together, plugin }))
  })
  after(() => owned.disposeAsync())

  /** Freezes a service during a piece of work that waits for it, and wakes it; the gateway answers meanwhile. */
  async function whileFrozen(service: 'appset-service' | 'cmp-server', work: () => Promise<void>) {
    const [victim] = mesh.processes[service]
    assert.ok(victim)
    let isAwake = false
    victim.signal('SIGSTOP')
    const working = work().then(() => assert.ok(isAwake, 'it waited for the service'))
    await mesh.fixture.gateway.applications.listApplications({})
    await delay(frozenMs)
    isAwake = true
    victim.signal('SIGCONT')
    await working
  }

  test('appset-service answers the call that found it frozen, and its Applications stay', async () => {
    const { gateway } = mesh.fixture
    const apply = async (...names: string[]) => {
      const applicationSet = setObject({ project: 'default', generators: [namesGenerator(...names)] })
      await gateway.applicationSets.applyApplicationSet({ applicationSet, upsert: true })
    }
    const generated = async () => (await applicationNames(gateway)).filter((name) => name.startsWith('of-'))
    const uidOf = async (name: string) => {
      const { application } = await gateway.applications.getApplication({ name })
      return (application?.['metadata'] as { uid?: string } | undefined)?.uid
    }
    await apply('of-1')
    await until(async () => (await generated()).length === 1)
    const uid = await uidOf('of-1')
    await whileFrozen('appset-service', () => apply('of-1', 'of-2'))
    await until(async () => (await generated()).length === 2)
    assert.deepEqual([await generated(), await uidOf('of-1')], [['of-1', 'of-2'], uid])
  })

  test('cmp-server renders what it was asked for when it wakes, in one commit', async () => {
    const { fixture } = mesh
    const repository = await fixture.createRepository('plugged', {
      'plugged/a.yaml': configMap('plugged', '1'),
    })
    const branch = 'environments/plugged'
    const source = { plugin: { name: 'slow' } }
    const first = await repository.dry.head()
    await fixture.applyAndWait(first, { name: 'plugged', repoURL: repository.url, branch, source })
    const next = await repository.push({ 'plugged/a.yaml': configMap('plugged', '2') })
    await whileFrozen('cmp-server', async () => {
      await fixture.gateway.applications.hydrateApplication({ name: 'plugged' })
      await fixture.waitFor('plugged', isHydratedAt(next))
    })
    assert.equal((await repository.commits(branch)).length, 2)
    assert.match(await repository.read(branch, 'plugged/manifest.yaml'), /value: "2"/)
  })
})
