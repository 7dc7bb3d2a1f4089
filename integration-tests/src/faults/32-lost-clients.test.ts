import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { mkdtempDisposable, readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { isAlive } from '@wadi/testing/is-alive.ts'
import { until } from '@wadi/testing/until.ts'
import { applicationObject } from '../application-fixture.ts'
import { startMeshFixture } from '../mesh-fixture.ts'

test('a preview whose client goes away frees its renderer', async () => {
  await using directory = await mkdtempDisposable(join(tmpdir(), 'wadi-preview-'))
  const file = join(directory.path, 'plugin.yaml')
  const started = join(directory.path, 'started')
  const plugin = {
    apiVersion: 'argoproj.io/v1alpha1',
    kind: 'ConfigManagementPlugin',
    metadata: { name: 'slow' },
    spec: { generate: { command: ['sh', '-c', `echo $$ > ${started}; exec sleep 600`] } },
  }
  await writeFile(file, JSON.stringify(plugin))
  await using mesh = await startMeshFixture({ plugins: [file] })
  const { fixture } = mesh
  const repository = await fixture.createRepository('lost', { 'lost/a.txt': 'x' })
  const application = {
    name: 'lost',
    repoURL: repository.url,
    branch: 'environments/lost',
    revision: 'not-there-yet',
    source: { plugin: { name: 'slow' } },
  }
  await fixture.gateway.applications.createApplication({ application: applicationObject(application) })
  const client = new AbortController()
  const request = { name: 'lost', dryRevision: await repository.dry.head() }
  const preview = fixture.gateway.applications.getManifests(request, { signal: client.signal })
  await Promise.all([assert.rejects(preview), until(() => existsSync(started)).then(() => client.abort())])
  const pid = Number(await readFile(started, 'utf8'))
  await until(() => !isAlive(pid))
})
