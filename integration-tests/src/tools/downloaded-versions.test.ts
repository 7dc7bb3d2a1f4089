import assert from 'node:assert/strict'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { test } from 'node:test'
import { helmOfCharts, kustomizeVersion } from '@wadi/gotemplate/engine-versions.ts'
import {
  packedName,
  packRelease,
  releaseOf,
  startReleaseServer,
} from '@wadi/renderer-tools/releases/release-fixture.ts'
import { rendererFiles, renderersMissing } from '@wadi/testing/renderers/renderer-programs.ts'
import { noOpenssl } from '@wadi/testing/tls-certificate.ts'
import { until } from '@wadi/testing/until.ts'
import { isHydratedAt } from '../gateway-fixture.ts'
import { makeTestDirectory } from '../hydration-fixture.ts'
import { startMeshFixture } from '../mesh-fixture.ts'
import { connectForge } from '../pull-request-fixture.ts'
import { compareRevisions, propose } from '../review-fixture.ts'
import { versionChart } from './version-chart-fixture.ts'

const skip = renderersMissing || noOpenssl || false
const branch = 'environments/all'

const files = {
  ...versionChart('web'),
  'overlay/kustomization.yaml': 'configMapGenerator: [{name: c, literals: [a=b]}]\n',
}

test(
  'a version that git pins is downloaded by the hydration of its branch, and by no comparison or review of a fork',
  { skip },
  async () => {
    await using owned = new AsyncDisposableStack()
    const directory = await makeTestDirectory(owned)
    const server = owned.use(await startReleaseServer())
    for (const [tool, version, file] of [
      ['helm', '4.3.1', rendererFiles.helm4],
      ['kustomize', '5.8.3', rendererFiles.kustomize],
    ] as const) {
      const archive = await packRelease({ [packedName(tool)]: await readFile(file) })
      server.publish(releaseOf(tool, version, archive), archive)
    }
    const list = path.join(directory, 'list.txt')
    await writeFile(list, server.list())
    // Not that of other tests, where downloads would stay.
    const dataDirectory = path.join(directory, 'own-data')
    await mkdir(dataDirectory, { mode: 0o700 })
    const mesh = owned.use(
      await startMeshFixture({
        dataDirectory,
        environment: {
          WADI_TOOL_DOWNLOADS: 'on',
          WADI_TOOL_LIST: list,
          WADI_HELM_RELEASES: server.addresses.helm,
          WADI_KUSTOMIZE_RELEASES: server.addresses.kustomize,
        },
      }),
    )
    const { fixture } = mesh
    await fixture.gateway.resources.applyResource({
      resource: {
        apiVersion: 'v1',
        kind: 'ConfigMap',
        metadata: { name: 'argocd-tls-certs-cm', namespace: 'argocd' },
        data: { localhost: server.authority },
      },
    })
    await fixture.applyOperatorSettings({ 'sourceHydrator.reviews': '*' })
    await fixture.applyProject('shown', {}, { 'wadi.dev/reviews': 'diffs' })
    const repository = await fixture.createRepository('acme/downloads', files)
    const applications = ['web', 'overlay'].map((name) => ({
      name,
      repoURL: repository.url,
      path: name,
      syncPath: name,
      branch,
      project: 'shown',
    }))
    await fixture.applyAndWait(await repository.dry.head(), ...applications)
    const toolsOf = async (name: string): Promise<string[]> => {
      const { tools }: { tools: { name: string; version: string }[] } = JSON.parse(
        await repository.read(branch, `${name}/hydrator.metadata`),
      )
      return tools.map((tool) => `${tool.name} ${tool.version}`)
    }
    assert.deepEqual(await toolsOf('web'), [`helm ${helmOfCharts}`])

    const pins = { 'wadi.yaml': 'tools:\n  helm: 4.3.1\n  kustomize: 5.8.3\n' }
    const proposed = await propose(repository, 'refs/heads/proposed', pins)
    const compared = async () => {
      const request = { repoUrl: repository.url, revision: proposed }
      const { applications: changes } = await compareRevisions(fixture.gateway, request)
      return Array.from(changes.values(), ({ name, outcome, errors }) => ({ name, outcome, errors }))
    }
    const failed = await compared()
    assert.deepEqual(
      failed.map(({ outcome }) => outcome),
      ['failed', 'failed'],
    )
    for (const { errors } of failed)
      assert.match(
        errors.join('\n'),
        /wadi\.yaml:\d:\d: tools\.\w+: \w+ \d\.\d\.\d is not downloaded yet, and only the hydration of a branch downloads/,
      )
    const tried = { repoUrl: repository.url, revision: 'HEAD', tools: { helm: '4.3.1' } }
    await assert.rejects(compareRevisions(fixture.gateway, tried), /helm "4\.3\.1" is not installed/)
    const { open, announce, newest, comments } = owned.use(await connectForge(mesh, repository))
    const pull = open({ head: 'main', fork: { repository: 'outsider/downloads', sha: proposed } })
    await announce(pull)
    await until(() => (newest(proposed)?.state ?? 'pending') !== 'pending')
    assert.equal(newest(proposed)?.description, '2 of 2 applications cannot be hydrated any more')
    assert.match(
      comments(pull)[0] ?? '',
      /is not downloaded yet, and only the hydration of a branch downloads/,
    )
    assert.deepEqual(server.requests, [])

    const [release] = server.releases.filter(({ tool }) => tool === 'helm')
    assert.ok(release)
    server.answers.set(server.pathOf(release), (response) => response.writeHead(503).end())
    await repository.push({ 'wadi.yaml': 'tools:\n  helm: 4.3.1\n' }, 'Pin Helm alone')
    await fixture.poll()
    assert.match(
      await fixture.waitForFailure('web'),
      /wadi\.yaml:2:3: tools\.helm: helm 4\.3\.1 of https:\/\/localhost\S+: https:\/\/localhost\S+ answers 503/,
    )
    server.answers.clear()
    assert.equal(
      (await fixture.gateway.tools.addTool({ tool: { name: 'helm', version: '4.3.1' } })).wasThere,
      false,
    )
    const changed = { 'overlay/kustomization.yaml': 'configMapGenerator: [{name: c, literals: [a=c]}]\n' }
    const sha = await repository.push({ ...pins, ...changed }, 'Pin the tools')
    await fixture.poll()
    for (const { name } of applications) await fixture.waitFor(name, isHydratedAt(sha))
    assert.deepEqual(await toolsOf('web'), ['helm v4.3.1'])
    assert.deepEqual(await toolsOf('overlay'), ['kustomize v5.8.3'])
    assert.equal(server.requests.length, 3)
    assert.deepEqual(
      (await compared()).filter(({ errors }) => errors.length > 0),
      [],
    )
    await compareRevisions(fixture.gateway, tried)

    const { tools } = fixture.gateway
    const listed = await tools.listTools({})
    assert.deepEqual(
      listed.tools.map((tool) => [tool.name, tool.version, tool.origin, tool.isDefault, tool.hasEngine]),
      [
        ['helm', helmOfCharts.slice(1), 'brought', true, true],
        ['helm', '4.3.1', 'downloaded', false, true],
        ['kustomize', kustomizeVersion.slice(1), 'brought', true, true],
        ['kustomize', '5.8.3', 'downloaded', false, true],
      ],
    )
    assert.deepEqual(listed.downloadable, [])
    const helm4 = { name: 'helm', version: '4.3.1' }
    assert.equal((await tools.addTool({ tool: helm4 })).wasThere, true)
    await assert.rejects(
      tools.addTool({ tool: { ...helm4, version: '4.9.9' } }),
      /helm 4\.9\.9 is not in \S+list\.txt/,
    )
    await assert.rejects(
      tools.addTool({ tool: { ...helm4, name: 'hlem' } }),
      /the tool must be helm or kustomize/,
    )
    const program = path.join(dataDirectory, 'repo-server/tools/releases/kustomize/5.8.3/kustomize')
    await writeFile(program, 'changed')
    const statuses = async () =>
      (await tools.verifyTools({})).tools.map(({ version, status }) => `${version} ${status}`)
    assert.deepEqual(
      (await statuses()).filter((line) => line.endsWith('failed')),
      ['5.8.3 failed'],
    )
    assert.ok((await statuses()).includes('4.3.1 ok'))
    const removed = await tools.removeTool({ tool: { name: 'kustomize', version: '5.8.3' } })
    assert.deepEqual(removed.branches, [branch])
    assert.deepEqual(
      (await tools.listTools({})).downloadable.map(({ name, version }) => `${name} ${version}`),
      ['kustomize 5.8.3'],
    )
    await assert.rejects(
      tools.removeTool({ tool: { name: 'helm', version: helmOfCharts.slice(1) } }),
      /is the version that renders by default/,
    )

    await repository.push({ 'wadi.yaml': 'tools:\n  helm: 4.9.9\n' }, 'Pin what no list has')
    await fixture.poll()
    assert.match(
      await fixture.waitForFailure('web'),
      /wadi\.yaml:2:3: tools\.helm: helm 4\.9\.9 is not installed; choose one of those that are \(.*4\.3\.1.*\), .* the list of releases \(WADI_TOOL_LIST\)/,
    )
    // The branch keeps the Kustomize that wadi.yaml named until now.
    assert.equal(server.requests.length, 4)
    assert.match(server.requests[3] ?? '', /^\/kustomize\//)
  },
)
