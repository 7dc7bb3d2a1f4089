import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { test } from 'node:test'
import { cacheHome } from '@wadi/testing/tool-cache.ts'
import { simpleGit } from 'simple-git'
import { runWadi, temporaryDirectory } from '../testing/run-wadi-fixture.ts'
import { startWorkingCopy } from '../testing/working-copy-fixture.ts'

const repoURL = 'https://git.example.com/team/deploy.git'
const configMap = (value: string) =>
  `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: web}\ndata: {value: "${value}"}\n`
const application = `apiVersion: argoproj.io/v1alpha1
kind: Application
metadata: {name: web, namespace: argocd}
spec:
  destination: {server: https://kubernetes.default.svc, namespace: shop}
  sourceHydrator:
    drySource: {repoURL: ${repoURL}, targetRevision: main, path: web}
    syncSource: {targetBranch: environments/prod, path: web}
`

/** A repository with the values one, two and three on `main`, tagged `v2` at the second, and `other` at the first. */
async function startHistory({
  comment = '',
  objectFormat,
}: { comment?: string; objectFormat?: 'sha256' } = {}) {
  const first = `${configMap('one')}# ${comment}\n`
  const copy = await startWorkingCopy({ 'web.yaml': application, 'web/a.yaml': first }, objectFormat)
  const git = simpleGit(copy.root)
  await git.addRemote('origin', repoURL)
  await git.branch(['other'])
  for (const value of ['two', 'three']) {
    await copy.write('web/a.yaml', `${configMap(value)}# ${comment}\n`)
    await git.add('.').commit(`Set ${value}`)
    if (value === 'two') await git.addTag('v2')
  }
  return { copy, git, [Symbol.asyncDispose]: () => copy[Symbol.asyncDispose]() }
}

/** Returns the changed value before and after, and the exit code. */
async function difference(directory: string, ...flags: string[]) {
  const environment = { XDG_CACHE_HOME: cacheHome }
  const { stdout, stderr, code } = await runWadi(['diff', '--local', ...flags], { directory, environment })
  const values = [...stdout.matchAll(/^[-+] {2}value: (\w+)$/gm)].map(([, value]) => value)
  return [values.join(' '), code, stderr]
}

test('a base is a tag, a commit or what counts from the commit that is checked out, whichever branch Applications follow', async () => {
  await using history = await startHistory()
  const { copy, git } = history
  // What a clone has: the default branch of its origin, which is not what HEAD means here.
  await git.raw(['update-ref', 'refs/remotes/origin/main', 'other'])
  await git.raw(['symbolic-ref', 'refs/remotes/origin/HEAD', 'refs/remotes/origin/main'])
  const from = (base: string) => difference(copy.root, '--base', base)
  assert.deepEqual(await from('HEAD'), ['', 0, ''])
  for (const base of ['HEAD~1', '@^', 'v2', 'refs/tags/v2', await git.revparse(['v2'])]) {
    assert.deepEqual(await from(base), ['two three', 1, ''], base)
  }
  assert.deepEqual(await from('main'), ['one three', 1, ''])
})

test('a checkout with a split index is read', async () => {
  await using history = await startHistory()
  const { copy, git } = history
  await git.raw(['update-index', '--split-index'])
  await copy.write('web/a.yaml', configMap('four'))
  assert.deepEqual(await difference(copy.root), ['three four', 1, ''])
})

test('a checkout whose objects are named with SHA-256 is compared', async () => {
  await using history = await startHistory({ objectFormat: 'sha256' })
  const { copy, git } = history
  assert.deepEqual(await difference(copy.root, '--base', 'v2'), ['two three', 1, ''])
  assert.deepEqual(await difference(copy.root, '--base', 'HEAD~1'), ['two three', 1, ''])
  await copy.write('web/a.yaml', configMap('four'))
  await copy.write('web/new.yaml', configMap('new').replace('name: web', 'name: new'))
  assert.deepEqual(await difference(copy.root), ['new three four', 1, ''])
  await git.add('.').commit('Set four')
  assert.deepEqual(await difference(copy.root, '--base', 'main'), ['', 0, ''])
})

test('a partial clone without the files of the base is an error, not a comparison with nothing', async () => {
  // Nothing of it is in a cache, so its files must be read.
  await using history = await startHistory({ comment: randomUUID() })
  await using directory = await temporaryDirectory()
  const { copy, git } = history
  await git.addConfig('uploadpack.allowFilter', 'true')
  await simpleGit(directory.path).clone(`file://${copy.root}`, 'clone', ['--filter=blob:none'])
  const clone = join(directory.path, 'clone')
  const [, code, stderr] = await difference(clone, '--base', 'v2', '--repo', repoURL)
  assert.equal(code, 2)
  assert.match(String(stderr), /the checkout lacks files of [0-9a-f]{40}; a partial clone .*--filter/)
  await simpleGit(clone).raw(['fetch', '--quiet', '--refetch', '--no-filter'])
  assert.deepEqual(await difference(clone, '--base', 'v2', '--repo', repoURL), ['two three', 1, ''])
})

test('Applications of a file that a change breaks fail, and are not shown as removed', async () => {
  await using history = await startHistory()
  const { copy } = history
  const run = async () => copy.wadi(['diff', '--local'])
  for (const [broken, error] of [
    [
      application.replace('path: web}', 'path: ../web}'),
      /web\.yaml: Application argocd\/web: .*must be a relative path/,
    ],
    [application.replace('{server', '{{server'), /error: web\.yaml:6: /],
    [
      application.replace(/^apiVersion.*$/m, ''),
      /error: web\.yaml:\d: a Kubernetes object needs the field apiVersion/,
    ],
  ] as const) {
    await copy.write('web.yaml', broken)
    const { stdout, code } = await run()
    assert.equal(code, 2)
    assert.match(stdout, error)
    assert.match(stdout, /^branch environments\/prod\n {2}argocd\/web {2}failed$/m)
    assert.doesNotMatch(stdout, /removed/)
  }
  await copy.write('web.yaml', application)
  await copy.write('new.yaml', 'kind: Application\nmetadata: [\n')
  await copy.write('values.yaml', 'nested:\n  kind: Application\n')
  const added = await run()
  assert.deepEqual(added.stdout.match(/^warning: .*$/gm)?.length, 1)
  assert.match(added.stdout, /^warning: new\.yaml:3: /m)
})

test('of two Applications of one name a warning names both places', async () => {
  await using history = await startHistory()
  const { copy } = history
  await copy.write('same.yaml', application)
  assert.doesNotMatch((await copy.wadi(['diff', '--local'])).stdout, /warning:/)
  const other = JSON.stringify({ apiVersion: 'v1', kind: 'List', items: ['api', 'web'] }).replace(
    /"(api|web)"/g,
    (_, name: string) =>
      `\n{"apiVersion":"argoproj.io/v1alpha1","kind":"Application","metadata":{"name":"${name}"},"spec":{"destination":{},"sourceHydrator":{"drySource":{"repoURL":"${repoURL}","targetRevision":"main","path":"web"},"syncSource":{"targetBranch":"environments/prod","path":"${name}"}}}}`,
  )
  await copy.write('other.json', other)
  const { stdout } = await copy.wadi(['diff', '--local'])
  assert.match(stdout, /^Warnings: {6}1$/m)
  assert.match(
    stdout,
    /^warning: Application argocd\/web is defined in other\.json:3 and in same\.yaml:3; only the latter is compared$/m,
  )
})
