import assert from 'node:assert/strict'
import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { test } from 'node:test'
import { InvalidInputError } from '@wadi/errors/domain-error.ts'
import { helmOfCharts, kustomizeVersion } from '@wadi/gotemplate/engine-versions.ts'
import { rendererFiles, renderersMissing } from '@wadi/testing/renderers/renderer-programs.ts'
import { toolCache } from '@wadi/testing/tool-cache.ts'
import { RenderFixture, testSource } from '../render-fixture.ts'
import { explainSource } from '../../parameters/explain/explain-source.ts'
import { openDirectoryTree } from '@wadi/file-trees/directory-tree.ts'
import { CurrentTools, toolsIdentity } from '@wadi/renderer-tools/current-tools.ts'
import { findTools } from '@wadi/renderer-tools/find-tools.ts'
import { fileDigest } from '@wadi/renderer-tools/tool-program.ts'

const skip = renderersMissing ?? false
const chart = {
  'web/Chart.yaml': 'apiVersion: v2\nname: web\nversion: 1.0.0\n',
  'web/templates/a.yaml':
    'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: "{{ .Capabilities.HelmVersion.Version }}"}\n',
}

/** A directory of an operator with links to programs, each as `helm/4.3.1`, or with scripts that report a version. */
function toolsDirectory(programs: Readonly<Record<string, string | { readonly reports: string }>>) {
  const directory = mkdtempSync(path.join(tmpdir(), 'wadi-pins-'))
  const put = (name: string, program: string | { readonly reports: string }): void => {
    const file = path.join(directory, name, path.dirname(name))
    mkdirSync(path.dirname(file), { recursive: true })
    if (typeof program === 'string') return symlinkSync(program, file)
    writeFileSync(file, `#!/bin/sh\necho ${program.reports}\n`)
    chmodSync(file, 0o755)
  }
  for (const [name, program] of Object.entries(programs)) put(name, program)
  return {
    directory,
    put,
    options: { cacheDirectory: toolCache, toolsDirectory: directory },
    [Symbol.dispose]: () => rmSync(directory, { recursive: true, force: true }),
  }
}

test('the versions that git asks for render, each source with its own', { skip }, async () => {
  const { helm3, helm4, kustomize } = rendererFiles
  using given = toolsDirectory({ 'helm/3.22.0': helm3, 'helm/v4.3.1': helm4, 'kustomize/5.8.3': kustomize })
  await using fixture = new RenderFixture(await findTools(given.options), {
    ...chart,
    'old/Chart.yaml': chart['web/Chart.yaml'],
    'old/templates/a.yaml': chart['web/templates/a.yaml'],
    'overlay/kustomization.yaml': 'configMapGenerator: [{name: c, literals: [a=b]}]\n',
  })
  const rendered = async (directory: string): Promise<[string, unknown]> => {
    const { manifests, record, fingerprint } = await fixture.render(testSource(directory))
    fingerprints.add(fingerprint)
    return [manifests.join(), record.tools.map(({ name, version }) => `${name} ${version}`)]
  }
  const fingerprints = new Set<string>()
  const [own, tools] = await rendered('web')
  assert.match(own, RegExp(`"name":"${helmOfCharts}"`))
  assert.deepEqual(tools, [`helm ${helmOfCharts}`])

  fixture.write('wadi.yaml', 'tools: {helm: 4.3.1, kustomize: v5.8.3}\n')
  fixture.write('old/.argocd-source.yaml', 'helm: {version: v3.22.0}\n')
  const [newer, newerTools] = await rendered('web')
  assert.match(newer, /"name":"v4\.3\.1"/)
  assert.deepEqual(newerTools, ['helm v4.3.1'])
  const [old] = await rendered('old')
  assert.match(old, /"name":"v3\.22\.0"/)
  assert.deepEqual((await rendered('overlay'))[1], ['kustomize v5.8.3'])

  fixture.write('overlay/.argocd-source.yaml', `kustomize: {version: ${kustomizeVersion}}\n`)
  assert.deepEqual((await rendered('overlay'))[1], [`kustomize ${kustomizeVersion}`])
  assert.equal(fingerprints.size, 5)
})

test('a major version of Helm alone decides nothing, as in Argo CD', async () => {
  await using fixture = new RenderFixture(await findTools({ cacheDirectory: toolCache }), chart)
  for (const version of ['', 'v3', 'v4']) {
    const { pins } = await fixture.inspect(testSource('web', { helm: { version } }))
    assert.deepEqual(pins, {})
  }
})

test('what asks for a version is explained with its place', async () => {
  using given = toolsDirectory({ 'helm/4.3.1': { reports: 'v4.3.1' } })
  await using fixture = new RenderFixture(await findTools(given.options), chart)
  fixture.write('wadi.yaml', `tools:\n  helm: 4.3.1\n  kustomize: ${kustomizeVersion}\n`)
  fixture.write('web/.argocd-source.yaml', `helm:\n  version: ${helmOfCharts}\n`)
  const inspection = await fixture.inspect(testSource('web'))
  const explained = await explainSource(openDirectoryTree(fixture.directory), inspection)
  assert.deepEqual(
    explained
      .slice(-2)
      .map(({ of, path: name, value, from }) => [of, name, value, from.owner, `${from.file}:${from.line}`]),
    [
      ['versions of tools', '.helm', helmOfCharts.slice(1), 'developer', 'web/.argocd-source.yaml:2'],
      ['versions of tools', '.kustomize', kustomizeVersion.slice(1), 'operator', 'wadi.yaml:3'],
    ],
  )
})

test('a version that is missing is named with the place that asks for it and those that are there', async () => {
  using given = toolsDirectory({ 'helm/4.3.1': { reports: 'v4.3.1' } })
  await using fixture = new RenderFixture(await findTools(given.options), chart)
  fixture.write('wadi.yaml', '\ntools:\n  helm: 4.9.9\n')
  const own = helmOfCharts.slice(1)
  const missing = `helm 4.9.9 is not installed; choose one of those that are (${own}, 4.3.1), or ask the operator for helm/4.9.9/helm in WADI_TOOLS_DIRECTORY or for downloads (WADI_TOOL_DOWNLOADS)`
  const error = async () => fixture.inspect(testSource('web'))
  await assert.rejects(error, { name: 'InvalidInputError', message: `wadi.yaml:3:3: tools.helm: ${missing}` })
  fixture.write('web/.argocd-source.yaml', '# the chart\nhelm:\n  version: v4.9.9\n')
  await assert.rejects(error, { message: `web/.argocd-source.yaml:3: helm.version: ${missing}` })
})

test('what is no version is refused wherever it stands', async () => {
  await using fixture = new RenderFixture(await findTools({ cacheDirectory: toolCache }), chart)
  for (const version of ['^4.3.0', '4.3', '">=4"', 'latest', 'v4', '[4.3.1]', '""']) {
    fixture.write('wadi.yaml', `tools:\n  helm: ${version}\n`)
    await assert.rejects(fixture.inspect(testSource('web')), {
      message: 'wadi.yaml:2:3: tools.helm must be one exact version, such as 4.3.1',
    })
  }
  const others = {
    'tools: 4.3.1\n':
      'wadi.yaml:1:1: tools must be an object with versions, such as {helm: 4.3.1, kustomize: 5.8.3}',
    'tools: {hlem: 4.3.1}\n': 'wadi.yaml:1:9: unknown field tools.hlem; did you mean helm?',
  }
  for (const [text, message] of Object.entries(others)) {
    fixture.write('wadi.yaml', text)
    await assert.rejects(fixture.inspect(testSource('web')), { message })
  }
})

test('a program of another version than its directory says is refused, and so is one that does not answer', async () => {
  using given = toolsDirectory({
    'helm/4.3.1': { reports: 'v4.3.0' },
    'helm/4.5.0': { reports: '' },
    'kustomize/4.5.7': { reports: 'v4.5.7' },
  })
  const { others } = await findTools(given.options)
  const failure = async (opening: Promise<unknown> | undefined): Promise<string> => {
    try {
      await opening
      return 'opened'
    } catch (error) {
      assert.ok(error instanceof InvalidInputError)
      return error.message.replaceAll(given.directory, '')
    }
  }
  assert.equal(
    await failure(others?.helm.get('4.3.1')?.open()),
    '/helm/4.3.1/helm is helm v4.3.0 and not 4.3.1',
  )
  assert.match(await failure(others?.helm.get('4.5.0')?.open()), /does not report its version/)
  assert.match(await failure(others?.kustomize.get('4.5.7')?.open()), /at least 5\.0\.0 is needed/)
})

test('a program that is not the one recorded beside it is refused with the place that asks for it', async () => {
  using given = toolsDirectory({ 'helm/4.3.1': { reports: 'v4.3.1' } })
  const record = path.join(given.directory, 'helm/4.3.1/helm.sha256')
  writeFileSync(record, `${'0'.repeat(64)}  helm\n`)
  await using fixture = new RenderFixture(await findTools(given.options), chart)
  fixture.write('wadi.yaml', 'tools:\n  helm: 4.3.1\n')
  await assert.rejects(
    fixture.inspect(testSource('web')),
    /^InvalidInputError: wadi\.yaml:2:3: tools\.helm: \S+\/helm has the digest sha256:\w{64}, and \S+\/helm\.sha256 says 0{64}$/,
  )
  writeFileSync(record, (await fileDigest(path.join(given.directory, 'helm/4.3.1/helm'))).concat('  helm\n'))
  assert.equal((await fixture.inspect(testSource('web'))).pins.helm?.version, '4.3.1')
})

test('a version that the operator adds while the service runs is found, and one that is replaced is looked at again', async () => {
  using given = toolsDirectory({ 'helm/4.3.1': { reports: 'v4.0.0' } })
  const current = await CurrentTools.open(given.options)
  const open = async (version: string) => (await current.now()).others?.helm.get(version)?.open()
  await assert.rejects(open('4.3.1'), /is helm v4\.0\.0 and not 4\.3\.1/)
  given.put('helm/4.3.1', { reports: 'v4.3.1' })
  given.put('helm/4.4.0', { reports: 'v4.4.0' })
  current.doubt()
  assert.equal((await open('4.3.1'))?.version, 'v4.3.1')
  assert.equal((await open('4.4.0'))?.version, 'v4.4.0')
  assert.match(toolsIdentity(current.known), /; when asked for helm 4\.3\.1, helm 4\.4\.0$/)
})

test('where another version is the own one of the installation, the one that Wadi brings can be asked for', async () => {
  using given = toolsDirectory({ 'helm/3.19.0': { reports: 'v3.19.0' } })
  const helm = path.join(given.directory, 'helm/3.19.0/helm')
  const { others } = await findTools({ ...given.options, helm })
  assert.deepEqual([...(others?.helm.keys() ?? [])], [helmOfCharts.slice(1)])
  assert.equal((await others?.helm.get(helmOfCharts.slice(1))?.open())?.version, helmOfCharts)
})
