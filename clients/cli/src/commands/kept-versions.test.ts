import assert from 'node:assert/strict'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { create } from '@bufbuild/protobuf'
import { GetBranchResponseSchema } from '@wadi/protocol/gen/wadi/api_gateway/v1/branch_service_pb.ts'
import { plainVersion } from '@wadi/hydration/tool-versions.ts'
import { findTools } from '@wadi/renderer-tools/find-tools.ts'
import { makeToolsDirectory, renderersMissing } from '@wadi/testing/renderers/renderer-programs.ts'
import { cacheHome, toolCache } from '@wadi/testing/tool-cache.ts'
import { Gateway } from '../testing/gateway-fixture.ts'
import { runWadi } from '../testing/run-wadi-fixture.ts'
import { startWorkingCopy } from '../testing/working-copy-fixture.ts'

const withoutTools = { WADI_TOOLS_DIRECTORY: '/nonexistent' }
const skip = renderersMissing ?? false
const repoURL = 'https://git.example.com/team/kept-versions.git'
const application = (name: string, branch: string) => `apiVersion: argoproj.io/v1alpha1
kind: Application
metadata: {name: ${name}, namespace: argocd}
spec:
  destination: {server: https://kubernetes.default.svc, namespace: web}
  sourceHydrator:
    drySource: {repoURL: ${repoURL}, targetRevision: main, path: web}
    syncSource: {targetBranch: ${branch}, path: ${name}}
`
const files = {
  'web/Chart.yaml': 'apiVersion: v2\nname: web\nversion: 1.0.0\n',
  'web/values.yaml': 'value: one\n',
  'web/templates/helm.yaml': `apiVersion: v1
kind: ConfigMap
metadata: {name: web}
data: {helm: "{{ .Capabilities.HelmVersion.Version }}", value: "{{ .Values.value }}"}
`,
  'applications/web.yaml': application('web', 'env/prod'),
}

/** A clone with hydrated branches of its remote, each with the version of Helm that it keeps. */
async function startClone(branches: Readonly<Record<string, string>>) {
  await using owned = new AsyncDisposableStack()
  const copy = owned.use(await startWorkingCopy(files))
  const { git, root } = copy
  await git.addRemote('origin', repoURL)
  for (const [branch, version] of Object.entries(branches)) {
    await git.raw(['switch', '--quiet', '--orphan', 'hydrated'])
    const metadata = { repoURL, drySha: '0'.repeat(40), tools: [{ name: 'helm', version: `v${version}` }] }
    await writeFile(join(root, 'hydrator.metadata'), JSON.stringify(metadata))
    await git.add('.').commit('Hydrate')
    await git.raw(['update-ref', `refs/remotes/origin/${branch}`, 'HEAD'])
    await git.checkout('main')
    await git.deleteLocalBranch('hydrated', true)
  }
  const { helm } = await findTools({ cacheDirectory: toolCache })
  const tools = skip ? undefined : owned.use(makeToolsDirectory())
  const kept = owned.move()
  const environment = { XDG_CACHE_HOME: cacheHome, WADI_TOOLS_DIRECTORY: tools?.path ?? '' }
  const run = async (args: readonly string[], more: Record<string, string> = {}) =>
    runWadi(args, { directory: root, environment: { ...environment, ...more } })
  return {
    ...copy,
    run,
    own: plainVersion(helm.version),
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  }
}

test(
  'render, explain and check take the version that the hydrated branch of the clone keeps, and say so',
  { skip },
  async () => {
    await using clone = await startClone({ 'env/prod': '4.3.1' })
    const line = `helm 4.3.1 renders, kept by branch env/prod; the default here is ${clone.own}`
    const rendered = await clone.run(['render', 'web', '-o', 'json'])
    assert.equal(rendered.code, 0)
    assert.deepEqual(JSON.parse(rendered.stdout)[0].data, { helm: 'v4.3.1', value: 'one' })
    assert.match(rendered.stderr, RegExp(`^INFO\\[\\d+\\] ${line}\n$`))
    const explained = await clone.run(['explain', 'web', '.value'])
    assert.match(explained.stderr, RegExp(line))
    assert.match((await clone.run(['check', 'web'])).stderr, RegExp(line))
    const quiet = await clone.run(['--loglevel', 'warn', 'render', 'web'])
    assert.equal(quiet.stderr, '')
    await clone.write('wadi.yaml', `tools:\n  helm: ${clone.own}\n`)
    const pinned = await clone.run(['render', 'web'])
    assert.match(pinned.stdout, RegExp(`helm: v${clone.own}`))
    assert.equal(pinned.stderr, '')
    await clone.write('wadi.yaml', 'tools:\n  helm: 3.22.0\n')
    assert.match(
      (await clone.run(['render', 'web'])).stderr,
      /helm 3\.22\.0 renders, named in wadi\.yaml:2:\d+; the default/,
    )
  },
)

test('a kept or named version that is not on this machine is a warning or an error with what to do', async () => {
  await using clone = await startClone({ 'env/prod': '4.3.1' })
  const { stdout, stderr, code } = await clone.run(['render', 'web'], withoutTools)
  assert.equal(code, 0)
  assert.match(stdout, RegExp(`helm: v${clone.own}`))
  assert.match(
    stderr,
    RegExp(
      `WARN.* helm 4\\.3\\.1, kept by branch env/prod, is not on this machine; ${clone.own} renders in its place, so the result may differ; add it with "wadi tools add helm 4\\.3\\.1"`,
    ),
  )
  await clone.write('wadi.yaml', 'tools:\n  helm: 4.3.1\n')
  const named = await clone.run(['render', 'web'], withoutTools)
  assert.equal(named.code, 20)
  assert.match(
    named.stderr,
    /wadi\.yaml:2:3: tools\.helm: helm 4\.3\.1 is not installed; .*, or add it with "wadi tools add helm 4\.3\.1"/,
  )
})

test(
  'of branches that keep different versions one is named, else the default renders with a warning',
  { skip },
  async () => {
    await using clone = await startClone({ 'env/dev': '3.22.0', 'env/prod': '4.3.1' })
    const undecided = await clone.run(['render', 'web'])
    assert.match(undecided.stdout, RegExp(`helm: v${clone.own}`))
    assert.match(
      undecided.stderr,
      /WARN.* branches of this clone keep different versions of helm: (?:3\.22\.0 \(env\/dev\), 4\.3\.1 \(env\/prod\)|4\.3\.1 \(env\/prod\), 3\.22\.0 \(env\/dev\)); .*--branch/,
    )
    const chosen = await clone.run(['render', 'web', '--branch', 'env/dev'])
    assert.match(chosen.stdout, /helm: v3\.22\.0/)
    assert.match(chosen.stderr, /^INFO\[\d+\] helm 3\.22\.0 renders, kept by branch env\/dev; .*\n$/)
    const explained = await clone.run([
      'explain',
      '--repo',
      '.',
      '--revision',
      'HEAD',
      'web',
      '--branch',
      'env/dev',
    ])
    assert.match(explained.stderr, /helm 3\.22\.0 renders, kept by branch env\/dev/)
    const [absent, dry] = [
      await clone.run(['render', 'web', '--branch', 'env/no']),
      await clone.run(['render', 'web', '--branch', 'main']),
    ]
    assert.deepEqual([absent.code, dry.code], [20, 20])
    assert.match(absent.stderr, /has no branch "env\/no"; fetch it/)
    assert.match(
      dry.stderr,
      /branch "main" is not a hydrated branch: it has no hydrator\.metadata at its root/,
    )
  },
)

test('a recorded text that is not one exact version keeps nothing', async () => {
  await using clone = await startClone({ 'env/prod': '4.3.1 [x](https://example.com)' })
  const { stdout, stderr } = await clone.run(['render', 'web'])
  assert.match(stdout, RegExp(`helm: v${clone.own}`))
  assert.equal(stderr, '')
})

test('diff --local renders each Application with the version that its branch keeps', { skip }, async () => {
  await using clone = await startClone({ 'env/dev': '3.22.0', 'env/prod': '4.3.1' })
  await clone.write('applications/dev.yaml', application('dev', 'env/dev'))
  await clone.git.add('.').commit('Add dev')
  await clone.write('web/values.yaml', 'value: two\n')
  // Where nothing else differs, what rendered shows in an object that only the new side has.
  await clone.write(
    'web/templates/new.yaml',
    files['web/templates/helm.yaml'].replace('name: web', 'name: new'),
  )
  const args = ['diff', '--local', '--base', 'main', '-o', 'json']
  const { stdout, stderr, code } = await clone.run(args)
  assert.equal(code, 1, stderr)
  const { applications } = JSON.parse(stdout)
  const shown = applications.map((one: { name: string }) => [
    one.name,
    JSON.stringify(one).match(/v\d\.\d+\.\d+/g),
  ])
  assert.deepEqual(
    Object.fromEntries(shown.map(([name, found]: [string, string[]]) => [name, [...new Set(found)]])),
    {
      dev: ['v3.22.0'],
      web: ['v4.3.1'],
    },
  )
  assert.match(stderr, /helm 3\.22\.0 renders, kept by branch env\/dev; the default here is/)
  assert.match(stderr, /helm 4\.3\.1 renders, kept by branch env\/prod; the default here is/)
  assert.equal((await clone.run(args)).stdout, stdout)
  const missing = await clone.run(['diff', '--local', '--base', 'main', '-o', 'markdown'], withoutTools)
  assert.match(
    missing.stdout,
    /helm 4\.3\.1, kept by branch env\/prod, is not on this machine; .*wadi tools add helm 4\.3\.1/,
  )
})

test(
  'with a server the versions are those that its branches keep, whatever the clone has',
  { skip },
  async () => {
    await using clone = await startClone({ 'env/prod': '3.22.0' })
    await using gateway = await Gateway.start()
    const drySHA = (await clone.git.revparse(['HEAD'])).trim()
    gateway.applications.set('web', {
      apiVersion: 'argoproj.io/v1alpha1',
      kind: 'Application',
      metadata: { name: 'web', namespace: 'argocd' },
      spec: {
        project: 'default',
        destination: { server: 'https://kubernetes.default.svc', namespace: 'web' },
        sourceHydrator: {
          drySource: { repoURL, targetRevision: 'main', path: 'web' },
          syncSource: { targetBranch: 'env/prod', path: 'web' },
        },
      },
      status: { sourceHydrator: { lastSuccessfulOperation: { drySHA, hydratedSHA: 'a'.repeat(40) } } },
    })
    const branch = { repoUrl: repoURL.toUpperCase(), branch: 'env/prod', tools: { helm: 'v4.3.1' } }
    gateway.hydratedBranches.push(create(GetBranchResponseSchema, { branch }))
    const manifest = (value: string) =>
      `apiVersion: v1\ndata:\n  helm: v4.3.1\n  value: ${value}\nkind: ConfigMap\nmetadata:\n  name: web\n`
    gateway.manifests = () => ({ manifest: manifest('one') })
    await clone.write('web/values.yaml', 'value: two\n')
    const compared = await clone.run(['diff', '--local'], gateway.environment)
    assert.equal(compared.code, 1)
    assert.match(compared.stdout, /-  value: one\n\+  value: two\n/)
    assert.doesNotMatch(compared.stdout, /^[-+].*helm:/m)
    assert.match(compared.stderr, /helm 4\.3\.1 renders, kept by branch env\/prod; the default here is/)
    const { stdout, stderr, code } = await clone.run(
      ['app', 'diff', 'web', '--local', '.'],
      gateway.environment,
    )
    assert.equal(code, 1)
    assert.match(stdout, /-  value: one\n\+  value: two\n/)
    assert.doesNotMatch(stdout, /^[-+].*helm:/m)
    assert.match(stderr, /helm 4\.3\.1 renders, kept by branch env\/prod; the default here is/)
  },
)
