import assert from 'node:assert/strict'
import { test } from 'node:test'
import { runWadi } from '@wadi/cli/testing/run-wadi-fixture.ts'
import { helmOfCharts, kustomizeVersion } from '@wadi/gotemplate/engine-versions.ts'
import { startMesh } from '@wadi/mesh/mesh.ts'
import { rendererFiles, renderersMissing } from '@wadi/testing/renderers/renderer-programs.ts'
import { cacheHome } from '@wadi/testing/tool-cache.ts'
import { isHydratedAt } from '../gateway-fixture.ts'
import { HydrationFixture, makeDataDirectory, makeTestDirectory } from '../hydration-fixture.ts'
import { compareRevisions } from '../review-fixture.ts'
import { versionChart } from './version-chart-fixture.ts'
import { gitUser, quietEnvironment, startListenedGitServer } from '../mesh-fixture.ts'

const skip = renderersMissing ?? false
const newer = 'v4.3.1'
const old = 'environments/old'

test(
  'a branch keeps the Helm that it was hydrated with until git names another, which it then keeps, and a new branch gets that of the installation',
  { skip },
  async () => {
    await using owned = new AsyncDisposableStack()
    const directory = await makeTestDirectory(owned)
    const { server } = await startListenedGitServer()
    owned.use(server)
    const dataDirectory = await makeDataDirectory(directory)
    const within = async (
      environment: Record<string, string>,
      work: (fixture: HydrationFixture, server: Record<string, string>) => Promise<void>,
    ): Promise<void> => {
      const mesh = await startMesh({
        dataDirectory,
        listen: '127.0.0.1:0',
        environment: { ...quietEnvironment, ...environment },
      })
      await using _ = mesh
      using fixture = new HydrationFixture({
        address: mesh.address,
        token: mesh.adminToken,
        directory,
        git: server,
      })
      await work(fixture, { WADI_SERVER: mesh.address, WADI_AUTH_TOKEN: mesh.adminToken })
    }
    let repository: Awaited<ReturnType<HydrationFixture['createRepository']>> | undefined
    const read = async (branch: string, file: string): Promise<{ tools: Record<string, string>[] }> => {
      const text = (await repository?.read(branch, file)) ?? ''
      return JSON.parse(text) as { tools: Record<string, string>[] }
    }
    const helmOf = async (branch: string) => {
      const { tools } = await read(branch, 'web/hydrator.metadata')
      return tools.map(({ sha256 = '', ...tool }) => {
        assert.match(sha256, /^[0-9a-f]{64}$/)
        return tool
      })
    }
    const atHelm = (version: string) => [{ name: 'helm', version }]

    await within({}, async (fixture) => {
      await fixture.addCredentials({ repoUrl: server.url, isPrefix: true, ...gitUser })
      repository = await fixture.createRepository('kept', versionChart('web'))
      const common = { repoURL: repository.url, path: 'web', syncPath: 'web' }
      await fixture.applyAndWait(await repository.dry.head(), { ...common, name: 'old', branch: old })
    })
    assert.ok(repository !== undefined)
    assert.deepEqual(await helmOf(old), atHelm(helmOfCharts))
    assert.deepEqual((await read(old, 'hydrator.metadata')).tools, [
      ...atHelm(helmOfCharts),
      { name: 'kustomize', version: kustomizeVersion },
    ])
    const before = await repository.head(old)

    const onThisMachine = { WADI_HELM: rendererFiles.helm4, XDG_CACHE_HOME: cacheHome }
    await within({ WADI_HELM: rendererFiles.helm4 }, async (fixture, atServer) => {
      assert.ok(repository !== undefined)
      const common = { repoURL: repository.url, path: 'web', syncPath: 'web' }
      await fixture.applyAndWait(await repository.dry.head(), {
        ...common,
        name: 'new',
        branch: 'environments/new',
      })
      assert.deepEqual(await helmOf('environments/new'), atHelm(newer))
      await fixture.hydrate('old', { hard: true })
      assert.equal(await repository.head(old), before)

      const { gateway } = fixture
      const kept = async (name: string) => [
        (await gateway.branches.getBranch({ repoUrl: repository?.url ?? '', branch: `environments/${name}` }))
          .keptTools,
        (await gateway.applications.getApplication({ name })).keptTools,
      ]
      const [ofBranch, ofApplication] = await kept('old')
      assert.partialDeepStrictEqual(ofBranch, [
        { name: 'helm', version: helmOfCharts.slice(1), ownVersion: newer.slice(1) },
      ])
      assert.deepEqual(ofApplication, ofBranch)
      assert.deepEqual(await kept('new'), [[], []])

      const next = async (files: Record<string, string | undefined>): Promise<string> => {
        assert.ok(repository !== undefined)
        const sha = await repository.push(files, 'Change')
        await fixture.poll()
        for (const name of ['old', 'new']) await fixture.waitFor(name, isHydratedAt(sha))
        return repository.commitField(await repository.head(old), '%B')
      }
      assert.doesNotMatch(await next(versionChart('web', 'helm', 2)), /Tool-changed/)
      assert.match(await repository.read(old, 'web/manifest.yaml'), /replicas: "2"/)
      assert.deepEqual(await helmOf(old), atHelm(helmOfCharts))

      const local = await runWadi(['app', 'diff', 'old', '--local', repository.dry.directory], {
        environment: { ...atServer, ...onThisMachine },
      })
      assert.deepEqual([local.stdout, local.code], ['', 0])
      assert.match(
        local.stderr,
        RegExp(`${helmOfCharts.slice(1)} renders, kept by branch ${old}; .* 4\\.3\\.1`),
      )

      const preview = async (version: string, base = '') => {
        const request = { repoUrl: repository?.url ?? '', revision: 'HEAD', base, tools: { helm: version } }
        const { applications } = await compareRevisions(fixture.gateway, request)
        return Array.from(applications.values(), ({ name, outcome, objects }) => [
          name,
          outcome,
          ...objects.map(({ identity }) => identity?.name),
        ])
      }
      assert.deepEqual(await preview(newer.slice(1)), [['old', 'changed', 'helm']])
      assert.deepEqual(await preview(helmOfCharts.slice(1), 'HEAD'), [['new', 'changed', 'helm']])
      await assert.rejects(
        preview('4.0.0'),
        /helm "4\.0\.0" is not installed; choose one of those that are \(4\.3\.1, 4\.1\.4\), or ask/,
      )
      assert.deepEqual(await helmOf(old), atHelm(helmOfCharts))

      const pinned = await next({ 'wadi.yaml': `tools: {helm: ${newer.slice(1)}}\n` })
      assert.match(pinned, RegExp(`^Tool-changed: helm ${helmOfCharts} to ${newer} in 1 directory$`, 'm'))
      assert.deepEqual(await helmOf(old), atHelm(newer))
      assert.deepEqual(await kept('old'), [[], []])
      assert.deepEqual((await read(old, 'hydrator.metadata')).tools.slice(0, 1), atHelm(newer))

      const dropped = await next({ 'wadi.yaml': undefined, ...versionChart('web', 'helm', 3) })
      assert.doesNotMatch(dropped, /Tool-changed/)
      assert.match(await repository.read(old, 'web/manifest.yaml'), /replicas: "3"/)
      assert.deepEqual(await helmOf(old), atHelm(newer))
    })
  },
)
