import assert from 'node:assert/strict'
import { setTimeout as delay } from 'node:timers/promises'
import { test } from 'node:test'
import { configMap } from '../application-fixture.ts'
import { isHydratedAt } from '../gateway-fixture.ts'
import { gitUser, meshOfFile } from '../mesh-fixture.ts'

const mesh = await meshOfFile()

const names = Array.from({ length: 12 }, (_, index) => `slow-${index}`)

test('a server that hangs and then fails costs its repository one question of each service, not one for each branch', async () => {
  const { fixture, git } = mesh
  const files = (value: string) =>
    Object.fromEntries(names.map((name) => [`${name}/a.yaml`, configMap(name, value)]))
  const repository = await fixture.createRepository('slow', files('1'))
  const place = { repoURL: repository.url }
  const first = await repository.dry.head()
  await fixture.applyAndWait(
    first,
    ...names.map((name) => ({ ...place, name, branch: `environments/${name}` })),
  )
  const drySha = await repository.push(files('2'))
  let asked = 0
  const hangsMs = 4_000
  git.listen(async ({ path }) => {
    if (!path.includes('/slow.git/')) return undefined
    asked++
    await delay(hangsMs)
    return 503
  })
  for (const name of names) await fixture.gateway.applications.hydrateApplication({ name })
  for (const name of names) {
    const message = await fixture.waitForFailure(name)
    assert.match(message, /slow\.git cannot be reached/)
  }
  assert.ok(asked <= 6, `${names.length} branches asked ${asked} times`)
  git.listen(undefined)
  // Other credentials of any repository have all looked at, as the next poll would.
  const elsewhere = { repoUrl: 'https://elsewhere.example.com/x.git', skipValidation: true }
  await fixture.gateway.repositories.createRepository({ ...elsewhere, ...gitUser })
  for (const name of names) await fixture.waitFor(name, isHydratedAt(drySha))
})

for (const [status, words] of [
  [500, /returned error: 500/],
  [429, /returned error: 429/],
] as const) {
  test(`a server that answers ${status} is tried again until it is well`, async () => {
    const { fixture, git } = mesh
    const name = `answers-${status}`
    const repository = await fixture.createRepository(name, { [`${name}/a.yaml`]: configMap(name, '1') })
    git.listen(({ path }) => (path.includes(`/${name}.git/`) ? status : undefined))
    const message = await fixture.applyAndFail({
      name,
      repoURL: repository.url,
      branch: `environments/${name}`,
    })
    assert.match(message, words)
    git.listen(undefined)
    await fixture.waitFor(name, isHydratedAt(await repository.dry.head()))
  })
}
