import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { mkdir, mkdtempDisposable, readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import { minimalChart } from '@wadi/charts/chart-server-fixture.ts'
import { runProgram } from '@wadi/testing/run-program.ts'
import { findTools } from '@wadi/renderer-tools/find-tools.ts'
import { goProgramMissing } from '@wadi/testing/go-program.ts'
import { startRealRegistry } from '@wadi/testing/oci-registry/real-registry.ts'
import { registryProgram } from '@wadi/testing/oci-registry/registry-program.ts'
import { toolCache } from '@wadi/testing/tool-cache.ts'
import { hash } from 'bcryptjs'
import type { ApplicationFixture } from './application-fixture.ts'
import { isHydratedAt } from './gateway-fixture.ts'
import { startMeshFixture } from './mesh-fixture.ts'

const skip = goProgramMissing(registryProgram) ?? false
const password = 'pass:word'

/** Packs a chart and pushes it, as a person does; returns the digest of the archive. */
async function push(host: string, version: string, replicas: number): Promise<string> {
  await using directory = await mkdtempDisposable(join(tmpdir(), 'wadi-push-'))
  const files = minimalChart('shop', version, { 'values.yaml': `replicas: ${replicas}\n` })
  for (const [path, content] of Object.entries(files)) {
    const file = join(directory.path, 'shop', path)
    await mkdir(dirname(file), { recursive: true })
    await writeFile(file, content)
  }
  const { helm } = await findTools({ cacheDirectory: toolCache })
  const run = (...args: string[]) =>
    runProgram([...helm.command, ...args], { cwd: directory.path, env: { HOME: directory.path, PATH: '' } })
  await run('package', 'shop')
  const archive = `shop-${version}.tgz`
  const login = ['--plain-http', '--username', 'ci', '--password', password]
  await run('push', archive, `oci://${host}/team/charts`, ...login)
  return createHash('sha256')
    .update(await readFile(join(directory.path, archive)))
    .digest('hex')
}

test(
  'charts that helm pushed to a real registry are hydrated with credentials, and a tag that moves is an error',
  { skip },
  async () => {
    await using registry = await startRealRegistry({ passwords: `ci:${await hash(password, 4)}\n` })
    await using mesh = await startMeshFixture()
    const { fixture } = mesh
    const { host } = registry
    const repository = await fixture.createRepository('hydrated', { 'README.md': 'Hydrated.\n' })
    const branch = 'environments/shop'
    const wanted: ApplicationFixture = {
      name: 'shop',
      repoURL: `oci://${host}/team/charts`,
      path: '',
      revision: '1.x',
      branch,
      destination: repository.url,
      source: { chart: 'shop' },
    }
    await push(host, '1.0.0', 1)
    const first = await push(host, '1.1.0+build.7', 2)
    assert.match(await fixture.applyAndFail(wanted), /asks for other credentials/)
    await fixture.gateway.repositories.createRepository({
      repoUrl: `${host}/team/charts`,
      type: 'helm',
      enableOci: true,
      username: 'ci',
      password,
    })
    await fixture.waitFor('shop', isHydratedAt(first))
    const manifest = await repository.read(branch, 'shop/manifest.yaml')
    assert.match(manifest, /^ {2}replicas: "2"\n {2}version: 1\.1\.0\+build\.7$/m)
    const second = await push(host, '1.1.0+build.7', 3)
    await fixture.gateway.applications.hydrateApplication({ name: 'shop' })
    assert.match(
      await fixture.waitForFailure('shop'),
      new RegExp(`it was sha256:${first} and is sha256:${second}`),
    )
    await fixture.gateway.applications.hydrateApplication({ name: 'shop', hard: true })
    await fixture.waitFor('shop', isHydratedAt(second))
  },
)
