import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { defaultRenderers } from '@wadi/rendering/renderers/renderers.ts'
import { until } from '@wadi/testing/until.ts'
import { configMap } from '../application-fixture.ts'
import { isHydratedAt } from '../gateway-fixture.ts'
import { waitingRenderer } from '../kubernetes/waiting-renderer-fixture.ts'
import { meshOfFile } from '../mesh-fixture.ts'

const branches = Array.from({ length: 12 }, (_, index) => `storm-${index}`)
const rendered: string[] = []
let held: Promise<void> | undefined

const renderer = waitingRenderer(async (path) => {
  rendered.push(path)
  await held
  // So that what is rendered next is decided while this is.
  await pause(100)
})
const mesh = await meshOfFile({
  environment: { WADI_HYDRATION_CONCURRENCY: '1', WADI_RENDER_PARALLELISM: '1' },
  repoServer: { renderers: [renderer, ...defaultRenderers] },
})
for (const name of ['storm', 'calm']) await mesh.fixture.applyProject(name)

test('the many branches of a project delay the single one of another by what is rendered', async () => {
  const { fixture } = mesh
  const files = (value: string) =>
    Object.fromEntries(branches.map((name) => [`${name}/a.yaml`, configMap(name, value)]))
  const many = await fixture.createRepository('storm', files('1'))
  const single = await fixture.createRepository('calm', { 'calm/a.yaml': configMap('calm', '1') })
  const ofStorm = branches.map((name) => ({
    name,
    repoURL: many.url,
    branch: `environments/${name}`,
    project: 'storm',
  }))
  await fixture.applyAndWait(await many.dry.head(), ...ofStorm)
  const calm = { name: 'calm', repoURL: single.url, branch: 'environments/calm', project: 'calm' }
  await fixture.applyAndWait(await single.dry.head(), calm)

  rendered.length = 0
  const { promise, resolve } = Promise.withResolvers<void>()
  held = promise
  const ask = (name: string) => fixture.gateway.applications.hydrateApplication({ name })
  const stormSha = await many.push(files('2'))
  for (const name of branches) await ask(name)
  await until(() => rendered.length === 1)
  const calmSha = await single.push({ 'calm/a.yaml': configMap('calm', '2') })
  await ask('calm')
  await fixture.waitFor('calm', ({ status }) => status.currentOperation?.phase === 'Hydrating')
  resolve()
  await fixture.waitFor('calm', isHydratedAt(calmSha))
  for (const name of branches) await fixture.waitFor(name, isHydratedAt(stormSha))
  assert.equal(rendered.length, branches.length + 1)
  assert.ok(rendered.indexOf('calm') <= 2, rendered.join(' '))
})
