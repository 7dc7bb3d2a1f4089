import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { hash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { mkdtempDisposable, readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { byKey } from '@wadi/order/by-name.ts'
import { findTools } from '@wadi/renderer-tools/find-tools.ts'
import { toolCache } from '@wadi/testing/tool-cache.ts'
import { changeOneApplication, changeReadmeOnly } from './change-monorepo.ts'
import { generateMonorepo, planMonorepo } from './generate-monorepo.ts'
import type { MonorepoApplication } from './monorepo-application.ts'

const run = promisify(execFile)

const tools = await findTools({ cacheDirectory: toolCache })

async function scratchDirectory() {
  return mkdtempDisposable(path.join(tmpdir(), 'wadi-monorepo-'))
}

/** The digest of every file, by its path. */
function digests(directory: string): Map<string, string> {
  const files = readdirSync(directory, { recursive: true, withFileTypes: true }).filter((entry) =>
    entry.isFile(),
  )
  const found = files.map((entry): [string, string] => {
    const file = path.join(entry.parentPath, entry.name)
    return [path.relative(directory, file), hash('sha256', readFileSync(file))]
  })
  return new Map(found.toSorted(byKey))
}

async function call(
  [command = '', ...fixed]: readonly string[],
  args: readonly string[],
  cwd: string,
): Promise<string> {
  return (await run(command, [...fixed, ...args], { cwd, env: { ...process.env, KUBECONFIG: '/dev/null' } }))
    .stdout
}

/** Renders an application with the real tool and returns the kinds of its objects, sorted. */
async function kindsOf(directory: string, application: MonorepoApplication): Promise<string[]> {
  const place = path.join(directory, application.path)
  let output: string
  if (application.kind === 'kustomize') {
    output = await call(
      tools.kustomize.command,
      tools.kustomize.standalone ? ['build', place] : [place],
      directory,
    )
  } else {
    const overrides = await readFile(path.join(place, '.argocd-source.yaml'), 'utf8')
    const releaseName = /releaseName: (\S+)/.exec(overrides)?.[1] ?? ''
    const valueFiles = [...overrides.matchAll(/^ +- (\S+)$/gm)].flatMap(([, file = '']) => ['--values', file])
    await call(tools.helm.command, ['dependency', 'build'], place)
    output = await call(
      tools.helm.command,
      ['template', releaseName, '.', '--include-crds', ...valueFiles],
      place,
    )
  }
  return [...output.matchAll(/^kind: (\w+)$/gm)].map(([, kind = '']) => kind).toSorted()
}

test('a thousand applications have the shares of a company and unique names and directories', () => {
  const { applications } = planMonorepo({ applications: 1000 })

  const counts = Object.entries(Object.groupBy(applications, ({ kind }) => kind)).map(([kind, all]) => [
    kind,
    all.length,
  ])
  assert.deepEqual(counts, [
    ['helm', 500],
    ['kustomize', 280],
    ['third-party', 150],
    ['jsonnet', 1],
    ['directory', 69],
  ])
  assert.equal(new Set(applications.map(({ name }) => name)).size, 1000)
  assert.equal(new Set(applications.map(({ branch, syncPath }) => `${branch}/${syncPath}`)).size, 1000)
  assert.deepEqual(
    new Set(applications.map(({ branch }) => branch)),
    new Set(['environments/dev', 'environments/staging', 'environments/prod']),
  )
})

test('equal seeds give equal bytes, another seed gives others', async () => {
  await using one = await scratchDirectory()
  await using same = await scratchDirectory()
  await generateMonorepo({ directory: one.path, applications: 100 })
  await generateMonorepo({ directory: same.path, applications: 100, seed: 42 })
  assert.deepEqual(digests(one.path), digests(same.path))
  const { files } = planMonorepo({ applications: 100 })
  const { files: others } = planMonorepo({ applications: 100, seed: 43 })
  assert.notDeepEqual(files, others)
})

test('changing an application changes one file of its own, changing the README no application', async () => {
  await using scratch = await scratchDirectory()
  const applications = await generateMonorepo({ directory: scratch.path, applications: 100 })
  let earlier = digests(scratch.path)
  for (const kind of ['helm', 'kustomize', 'third-party', 'jsonnet', 'directory'] as const) {
    for (const application of applications.filter((candidate) => candidate.kind === kind).slice(0, 2)) {
      const file = await changeOneApplication(scratch.path, application, 7)
      const later = digests(scratch.path)
      assert.deepEqual(changedFiles(earlier, later), [file])
      earlier = later
      assert.match(
        await readFile(path.join(scratch.path, file), 'utf8'),
        /(?:tag: |newTag: |revision: |revision = )"9\.0\.7"/,
      )
    }
  }
  assert.equal(await changeReadmeOnly(scratch.path, 3), 'README.md')
  assert.deepEqual(changedFiles(earlier, digests(scratch.path)), ['README.md'])
})

function changedFiles(earlier: ReadonlyMap<string, string>, later: ReadonlyMap<string, string>): string[] {
  assert.deepEqual([...earlier.keys()], [...later.keys()])
  return [...later].filter(([file, digest]) => earlier.get(file) !== digest).map(([file]) => file)
}

test('Helm and Kustomize render a sample of every kind', async () => {
  await using scratch = await scratchDirectory()
  const applications = await generateMonorepo({ directory: scratch.path, applications: 100 })
  const named = async (name: string): Promise<string[]> => {
    const application = applications.find((candidate) => candidate.name === name)
    assert.ok(application, name)
    return kindsOf(scratch.path, application)
  }
  const inHouse = await named('service-0000-prod')
  for (const kind of [
    'ConfigMap',
    'Deployment',
    'NetworkPolicy',
    'PodDisruptionBudget',
    'Service',
    'ServiceAccount',
  ]) {
    assert.ok(inHouse.includes(kind), `${kind} in ${inHouse.join(', ')}`)
  }
  assert.deepEqual(await named('web-0000-staging'), ['ConfigMap', 'Deployment', 'Service'])
  assert.deepEqual(await named('ingress-proxy-dev-0000'), ['ConfigMap', 'Deployment', 'Service'])
  assert.deepEqual(await named('certificate-issuer-staging-0001'), [
    'ClusterRole',
    'ClusterRoleBinding',
    'CustomResourceDefinition',
    'CustomResourceDefinition',
    'Deployment',
    'ServiceAccount',
  ])
  assert.deepEqual(await named('message-broker-prod-0002'), ['Service', 'StatefulSet'])
})
