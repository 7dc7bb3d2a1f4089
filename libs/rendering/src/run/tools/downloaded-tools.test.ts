import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { test } from 'node:test'
import { FailedPreconditionError, UnavailableError } from '@wadi/errors/domain-error.ts'
import { rendererFiles, renderersMissing } from '@wadi/testing/renderers/renderer-programs.ts'
import { toolCache } from '@wadi/testing/tool-cache.ts'
import {
  packedName,
  packRelease,
  releaseOf,
  reporting,
} from '@wadi/renderer-tools/releases/release-fixture.ts'
import { removeVersion } from '@wadi/renderer-tools/releases/installed-release.ts'
import { ToolDownloads } from '@wadi/renderer-tools/releases/tool-downloads.ts'
import { RenderFixture, testSource } from '../render-fixture.ts'
import { CurrentTools, toolsIdentity } from '@wadi/renderer-tools/current-tools.ts'
import { findTools } from '@wadi/renderer-tools/find-tools.ts'
import { DownloadUnavailableError } from '@wadi/renderer-tools/other-versions.ts'
import { knownVersions, listTools } from '@wadi/renderer-tools/list-tools.ts'

const skip = renderersMissing ?? false
const overlay = { 'web/kustomization.yaml': 'configMapGenerator: [{name: c, literals: [a=b]}]\n' }

/** Downloads of programs, each in the archive of a release, without a server. */
async function offered(programs: Readonly<Record<string, string | Buffer>>) {
  const directory = mkdtempSync(path.join(tmpdir(), 'wadi-offered-'))
  const archives = await Promise.all(
    Object.entries(programs).map(async ([name, program]) => {
      const tool = name.startsWith('helm') ? 'helm' : 'kustomize'
      const archive = await packRelease({ [packedName(tool)]: program })
      return { release: releaseOf(tool, name.split('/')[1] ?? '', archive), archive }
    }),
  )
  const asked: string[] = []
  const state: { failure: Error | undefined } = { failure: undefined }
  const downloads = new ToolDownloads({
    directory,
    list: { file: 'ours.txt', identity: 'abc', releases: archives.map(({ release }) => release) },
    restMs: 1,
    addresses: { helm: 'https://h.example', kustomize: 'https://k.example' },
    get: async (url) => {
      asked.push(url)
      if (state.failure) throw state.failure
      const found = archives.find(({ release }) => url.includes(`v${release.version}`))
      return found?.archive ?? Buffer.alloc(0)
    },
  })
  const options = { cacheDirectory: toolCache, downloads }
  return {
    directory,
    asked,
    options,
    state,
    [Symbol.dispose]: () => rmSync(directory, { recursive: true, force: true }),
  }
}

test('a pinned version is downloaded and renders for who may, and then for everybody', { skip }, async () => {
  using offer = await offered({ 'kustomize/5.8.3': readFileSync(rendererFiles.kustomize) })
  const tools = await findTools(offer.options)
  assert.deepEqual(knownVersions(tools).downloadable, [{ name: 'kustomize', version: 'v5.8.3' }])
  const files = { ...overlay, 'wadi.yaml': 'tools:\n  kustomize: 5.8.3\n' }
  await using reviewing = new RenderFixture(tools, files)
  await assert.rejects(reviewing.render(testSource('web')), (error) => {
    assert.ok(error instanceof FailedPreconditionError)
    assert.match(
      error.message,
      /^wadi\.yaml:2:3: tools\.kustomize: kustomize 5\.8\.3 is not downloaded yet, and only the hydration of a branch downloads; ask the operator for it \(wadi tools add kustomize 5\.8\.3 --remote\); choose one of those that are there \(5\.\d+\.\d+\)$/,
    )
    return true
  })
  assert.deepEqual(offer.asked, [])
  await using hydrating = new RenderFixture({ ...tools, mayDownload: true }, files)
  const { record } = await hydrating.render(testSource('web'))
  assert.deepEqual(
    record.tools.map(({ name, version }) => `${name} ${version}`),
    ['kustomize v5.8.3'],
  )
  assert.equal((await reviewing.render(testSource('web'))).record.tools[0]?.version, 'v5.8.3')
  assert.equal(offer.asked.length, 1)
})

test('a download changes which versions are there, and not what runs count on', async () => {
  using offer = await offered({ 'helm/4.3.1': reporting('v4.3.1'), 'helm/4.4.0': reporting('v4.4.0') })
  const current = await CurrentTools.open(offer.options)
  const before = toolsIdentity(current.known)
  assert.match(before, /; when asked for releases of list abc$/)
  await (await current.now()).others?.helm.get('4.3.1')?.open(true)
  current.doubt()
  const now = await current.now()
  assert.equal(toolsIdentity(now), before)
  assert.deepEqual(knownVersions(now).downloadable, [{ name: 'helm', version: 'v4.4.0' }])
  assert.ok(knownVersions(now).installed.some(({ version }) => version === 'v4.3.1'))
  assert.deepEqual(
    (await listTools(now)).filter(({ version }) => version === 'v4.3.1').map(({ used }) => used),
    ['when git names it or a branch keeps it'],
  )
  await removeVersion({ directory: offer.directory, tool: 'helm', version: '4.3.1' })
  current.doubt()
  assert.equal((await current.now()).others?.helm.get('4.3.1')?.isThere, false)
  assert.equal((await (await current.now()).others?.helm.get('4.3.1')?.open(true))?.version, 'v4.3.1')
})

test('a program that reports another version than the list says is refused', async () => {
  using offer = await offered({ 'helm/4.3.1': reporting('v4.3.0') })
  const { others } = await findTools(offer.options)
  for (let tries = 0; tries < 2; tries += 1)
    await assert.rejects(others?.helm.get('4.3.1')?.open(true) ?? Promise.resolve(), {
      message: `${offer.directory}/helm/4.3.1/helm is helm v4.3.0 and not 4.3.1`,
    })
})

test('a server that does not answer is named with what asks for it, and asked again', async () => {
  using offer = await offered({ 'helm/4.3.1': reporting('v4.3.1') })
  offer.state.failure = new UnavailableError('h.example answers 503')
  const tools = { ...(await findTools(offer.options)), mayDownload: true }
  await using fixture = new RenderFixture(tools, {
    'web/Chart.yaml': 'apiVersion: v2\nname: web\nversion: 1.0.0\n',
    'web/.argocd-source.yaml': 'helm:\n  version: v4.3.1\n',
  })
  await assert.rejects(fixture.inspect(testSource('web')), (error) => {
    assert.ok(error instanceof DownloadUnavailableError)
    assert.match(
      error.message,
      /^web\/\.argocd-source\.yaml:2: helm\.version: helm 4\.3\.1 of https:\/\/h\.example\/helm-v4\.3\.1-\S+: h\.example answers 503$/,
    )
    return true
  })
  offer.state.failure = undefined
  assert.equal((await fixture.inspect(testSource('web'))).pins.helm?.version, '4.3.1')
})

test('a version that no list has names the list', async () => {
  using offer = await offered({})
  await using fixture = new RenderFixture(
    { ...(await findTools(offer.options)), mayDownload: true },
    {
      ...overlay,
      'wadi.yaml': 'tools: {kustomize: 5.9.9}\n',
    },
  )
  await assert.rejects(
    fixture.inspect(testSource('web')),
    /wadi\.yaml:1:9: tools\.kustomize: kustomize 5\.9\.9 is not installed; choose one of those that are \(5\.\d+\.\d+\), .* or for a line with kustomize 5\.9\.9 in the list of releases \(WADI_TOOL_LIST\)/,
  )
})
