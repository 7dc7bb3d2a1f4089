import assert from 'node:assert/strict'
import { chmod, readdir, truncate } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { configMap } from '../application-fixture.ts'
import { meshOfFile } from '../mesh-fixture.ts'

const mesh = await meshOfFile()

/** Cuts every pack and loose object of a service's mirrors in half. */
async function damageMirrors(service: string): Promise<number> {
  const root = join(mesh.fixture.directory, 'data', service)
  const files = (await readdir(root, { recursive: true, withFileTypes: true })).filter(
    (entry) => entry.isFile() && /\/mirrors\/.*\/objects\/(?:pack|[0-9a-f]{2})$/.test(entry.parentPath),
  )
  for (const { parentPath, name } of files) {
    await chmod(join(parentPath, name), 0o644)
    await truncate(join(parentPath, name), 10)
  }
  return files.length
}

for (const service of ['repo-server', 'commit-server']) {
  test(`${service} detects that its copy of a repository is damaged, and hydrates from a new one`, async () => {
    const { fixture } = mesh
    const name = `damaged-${service}`
    const repository = await fixture.createRepository(name, { [`${name}/a.yaml`]: configMap('a', '1') })
    const branch = `environments/${name}`
    await fixture.applyAndWait(await repository.dry.head(), { name, repoURL: repository.url, branch })
    assert.notEqual(await damageMirrors(service), 0)
    const second = await repository.push({ [`${name}/a.yaml`]: configMap('a', '2') })
    await fixture.hydrateTo(second, name)
    assert.equal((await repository.commits(branch)).length, 2)
    assert.match(await repository.read(branch, `${name}/manifest.yaml`), /value: "2"/)
  })
}
