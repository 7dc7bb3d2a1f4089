import assert from 'node:assert/strict'
import { mkdir } from 'node:fs/promises'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { fillDisk, makeReadOnly, mountSmallDisk, noSmallDisk } from '@wadi/testing/small-disk.ts'
import { configMap } from '../application-fixture.ts'
import { isHydratedAt } from '../gateway-fixture.ts'
import { makeDataDirectory, makeTestDirectory } from '../hydration-fixture.ts'
import { startMeshFixture } from '../mesh-fixture.ts'

const chart = (value: string) => ({
  'web/Chart.yaml': 'apiVersion: v2\nname: web\nversion: 1.0.0\n',
  'web/templates/a.yaml': configMap('a', value),
})

const full = { spoil: fillDisk, says: 'no space left on disk for .*; make room in its data directory' }
const readOnly = {
  spoil: makeReadOnly,
  says: 'the file system is read-only and takes nothing for .*; .* mount its volume so that it may be written',
}

test(
  'a full or read-only disk is an error that names the service, and hydration goes on when it takes writes again',
  { skip: noSmallDisk },
  async (t) => {
    await using owned = new AsyncDisposableStack()
    const directory = await makeTestDirectory(owned)
    const data = join(directory, 'data')
    const temporary = join(directory, 'temporary')
    await mkdir(temporary)
    for (const service of ['repo-server', 'commit-server']) await mountSmallDisk(owned, join(data, service))
    const before = process.env['TMPDIR']
    process.env['TMPDIR'] = temporary
    owned.defer(() => {
      if (before === undefined) delete process.env['TMPDIR']
      else process.env['TMPDIR'] = before
    })
    const mesh = await startMeshFixture({ dataDirectory: await makeDataDirectory(directory) })
    owned.use(mesh)
    const renders = readdirSync(temporary).find((name) => name.startsWith('wadi-render-')) ?? ''
    const sandboxes = join(temporary, renders, 'sandboxes')
    await mountSmallDisk(owned, sandboxes)
    const { fixture } = mesh
    const repository = await fixture.createRepository('disk', chart('0'))
    const application = { name: 'web', repoURL: repository.url, branch: 'hydrated' }
    await fixture.applyAndWait(await repository.dry.head(), application)

    for (const [index, { what, disk, service, spoil, says }] of [
      { what: 'the private directory of a renderer', disk: sandboxes, service: 'repo-server', ...full },
      { what: 'the same, read-only', disk: sandboxes, service: 'repo-server', ...readOnly },
      { what: 'the copy that is read', disk: join(data, 'repo-server'), service: 'repo-server', ...full },
      {
        what: 'the copy that is written',
        disk: join(data, 'commit-server'),
        service: 'commit-server',
        ...full,
      },
    ].entries()) {
      await t.test(what, async () => {
        const head = (await repository.commits('hydrated'))[0]
        await using spoilt = await spoil(disk)
        const wanted = await repository.push(chart(String(index + 1)))
        await fixture.gateway.applications.hydrateApplication({ name: 'web' })
        const message = await fixture.waitForFailure('web')
        assert.match(message, new RegExp(`${service}: ${says}`))
        assert.deepEqual((await repository.commits('hydrated'))[0], head)
        const left = readdirSync(disk, { recursive: true, encoding: 'utf8' })
        assert.deepEqual(
          left.filter((path) => /tmp_|fast_import_crash/.test(path)),
          [],
        )
        await spoilt[Symbol.asyncDispose]()
        await fixture.waitFor('web', isHydratedAt(wanted))
        assert.match(
          await repository.read('hydrated', 'web/manifest.yaml'),
          new RegExp(`value: "${index + 1}"`),
        )
      })
    }
  },
)
