import assert from 'node:assert/strict'
import { test } from 'node:test'
import { applicationObject, configMap } from '../application-fixture.ts'
import { isHydratedAt } from '../gateway-fixture.ts'
import { meshOfFile } from '../mesh-fixture.ts'

const mesh = await meshOfFile()

test('three hundred Applications that are applied together become one commit for each branch', async () => {
  const names = Array.from({ length: 300 }, (_, index) => `app-${index}`)
  const files = Object.fromEntries(names.map((name) => [`${name}/a.yaml`, configMap(name, '1')]))
  const repository = await mesh.fixture.createRepository('many', files)
  const branchOf = (index: number) => `environments/${index % 3}`
  const applications = names.map((name, index) =>
    applicationObject({ name, repoURL: repository.url, branch: branchOf(index) }),
  )
  const { results } = await mesh.fixture.gateway.applications.applyApplications({ applications })
  assert.equal(results.filter(({ outcome }) => outcome === 'created').length, 300)
  const drySha = await repository.dry.head()
  for (const name of names) await mesh.fixture.waitFor(name, isHydratedAt(drySha))
  for (const index of [0, 1, 2]) assert.equal((await repository.commits(branchOf(index))).length, 1)
})
