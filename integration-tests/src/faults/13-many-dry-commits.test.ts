import assert from 'node:assert/strict'
import { test } from 'node:test'
import { configMap } from '../application-fixture.ts'
import { meshOfFile } from '../mesh-fixture.ts'

const mesh = await meshOfFile()

const commits = 15

for (const lineage of ['latest', 'every']) {
  test(`of ${commits} dry commits in a row the last one is hydrated, with lineage ${lineage}`, async () => {
    const { fixture } = mesh
    const name = `many-${lineage}`
    const repository = await fixture.createRepository(name, { [`${name}/a.yaml`]: configMap('a', '0') })
    const branch = `environments/${name}`
    const annotations = { 'wadi.dev/lineage': lineage }
    const first = await repository.dry.head()
    await fixture.applyAndWait(first, { name, repoURL: repository.url, branch, annotations })
    const shas: string[] = []
    for (let number = 1; number <= commits; number++) {
      shas.push(await repository.push({ [`${name}/a.yaml`]: configMap('a', String(number)) }))
      await fixture.gateway.applications.hydrateApplication({ name })
    }
    const last = shas.at(-1) ?? ''
    await fixture.hydrateTo(last, name)
    assert.deepEqual(JSON.parse(await repository.note(branch)), { drySha: last })
    const hydrated = (await repository.commits(branch)).length
    if (lineage === 'every') assert.equal(hydrated, commits + 1)
    else assert.ok(hydrated <= commits + 1, `${hydrated} hydrated commits`)
  })
}
