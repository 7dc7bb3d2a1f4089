import assert from 'node:assert/strict'
import { cp, mkdir, readdir, rm, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { simpleGit } from 'simple-git'
import { makeCacheHome } from '../testing/cache-home-fixture.ts'
import { runWadi, temporaryDirectory } from '../testing/run-wadi-fixture.ts'
import { startWorkingCopy } from '../testing/working-copy-fixture.ts'

const repoURL = 'https://git.example.com/team/kept.git'
const configMap = (name: string, value = 'one') =>
  `apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: ${name}\ndata:\n  value: "${value}"\n`
const application = (name: string, path: string, options = '') => `apiVersion: argoproj.io/v1alpha1
kind: Application
metadata: {name: ${name}, namespace: argocd}
spec:
  destination: {server: https://kubernetes.default.svc, namespace: shop}
  sourceHydrator:
    drySource: {repoURL: ${repoURL}, targetRevision: main, path: ${path}${options}}
    syncSource: {targetBranch: environments/prod, path: ${name}}
`
const files = {
  'applications/plain.yaml': application('plain', 'plain'),
  'applications/web.yaml': application('web', 'charts/web', ', helm: {valueFiles: [../../values/web.yaml]}'),
  'applications/globbed.yaml': application(
    'globbed',
    'globbed',
    ', directory: {recurse: true, include: "*.yaml"}',
  ),
  'applications/overlay.yaml': application('overlay', 'overlays/dev'),
  'applications/linked.yaml': application('linked', 'linked'),
  'plain/a.yaml': configMap('plain'),
  'globbed/a.yaml': configMap('globbed'),
  'charts/web/Chart.yaml':
    'apiVersion: v2\nname: web\nversion: 1.0.0\ndependencies:\n- {name: remote, version: 1.2.3, repository: "file://../remote"}\n',
  'charts/web/values.yaml': 'value: one\n',
  'charts/web/templates/a.yaml': configMap('web', '{{ .Values.value }}'),
  'charts/remote/Chart.yaml': 'apiVersion: v2\nname: remote\nversion: 1.2.3\n',
  'charts/remote/templates/a.yaml': configMap('remote'),
  'values/web.yaml': 'other: one\n',
  'overlays/dev/kustomization.yaml': 'resources: [../../base]\n',
  'base/kustomization.yaml': 'resources: [a.yaml]\n',
  'base/a.yaml': configMap('base'),
  'one/a.yaml': configMap('one'),
  'two/a.yaml': configMap('two'),
}

test('what is kept between runs changes no output, whatever the checkout and its branches become', async () => {
  await using copy = await startWorkingCopy(files)
  await using caches = await temporaryDirectory()
  const git = simpleGit(copy.root)
  await git.addRemote('origin', repoURL)
  await symlink('one', join(copy.root, 'linked'))
  await git.add('.').commit('Link')
  await git.checkoutLocalBranch('feature')
  const renders = join(caches.path, 'renders')
  const cacheOf = async (name: string) => {
    const home = join(caches.path, name)
    await mkdir(renders, { recursive: true })
    await symlink(renders, join(await makeCacheHome(home), 'renders'))
    return home
  }
  const [kept, none] = [await cacheOf('kept'), await cacheOf('none')]
  const run = async (cache: string, settings: Record<string, string> = {}) => {
    const args = ['diff', '--local', '--base', 'main', '-o', 'json']
    return runWadi(args, { directory: copy.root, environment: { XDG_CACHE_HOME: cache, ...settings } })
  }
  const remove = (path: string) => rm(join(copy.root, path), { recursive: true })
  const states: [name: string, change: () => Promise<unknown>, outcomes: string[]][] = [
    ['nothing changed', async () => undefined, []],
    ['a value file outside the path', () => copy.write('values/web.yaml', 'value: two\n'), ['web changed']],
    ['and it is committed', () => git.add('.').commit('Values'), ['web changed']],
    [
      'a file that a glob matches',
      () => copy.write('globbed/deep/b.yaml', configMap('b')),
      ['globbed changed', 'web changed'],
    ],
    [
      'one that it does not',
      () => copy.write('globbed/deep/c.json', '{'),
      ['globbed changed', 'web changed'],
    ],
    [
      'a deleted file of a chart',
      () => remove('charts/web/templates/a.yaml'),
      ['globbed changed', 'web changed'],
    ],
    ['a deleted chart that another needs', () => remove('charts/remote'), ['globbed changed', 'web failed']],
    [
      'everything as it was',
      () => git.raw(['checkout', '-q', 'main', '--', '.']).then(() => git.clean('fd')),
      [],
    ],
    [
      'options that appear',
      () => copy.write('plain/.argocd-source.yaml', 'directory: {exclude: "a.yaml"}\n'),
      ['plain changed'],
    ],
    [
      'options of one Application',
      () => copy.write('plain/.argocd-source-plain.yaml', 'directory: {exclude: ""}\n'),
      [],
    ],
    [
      'another Application',
      () => copy.write('applications/plain.yaml', application('plain', 'two')),
      ['plain changed'],
    ],
    [
      'a path in another case',
      () => copy.write('applications/plain.yaml', application('plain', 'Two')),
      ['plain failed'],
    ],
    ['that is there', () => copy.write('Two/a.yaml', configMap('Two')), ['plain changed']],
    [
      'a link to elsewhere',
      () => remove('linked').then(() => symlink('two', join(copy.root, 'linked'))),
      ['linked changed', 'plain changed'],
    ],
    [
      'a directory in the place of a link',
      () =>
        remove('linked').then(() =>
          cp(join(copy.root, 'one'), join(copy.root, 'linked'), { recursive: true }),
        ),
      ['plain changed'],
    ],
    [
      'a base of another directory',
      () => copy.write('base/a.yaml', configMap('base', 'two')),
      ['overlay changed', 'plain changed'],
    ],
    [
      'a kustomization that is broken',
      () => copy.write('overlays/dev/kustomization.yaml', 'resources: [../../none]\n'),
      ['overlay failed', 'plain changed'],
    ],
    ['all of it in the index', () => git.add('.'), ['overlay failed', 'plain changed']],
    ['another branch', () => git.stash(['-q']).then(() => git.checkout(['-q', '-b', 'other', 'main'])), []],
    [
      'with a change of its own',
      () => copy.write('plain/a.yaml', configMap('plain', 'other')),
      ['plain changed'],
    ],
    ['the first branch again', () => git.checkout(['-q', '-f', 'feature']), ['web changed']],
    [
      'a base that moved',
      () =>
        git
          .checkout(['-q', 'main'])
          .then(() => copy.write('base/a.yaml', configMap('base', 'main')))
          .then(() => git.add('.').commit('Base'))
          .then(() => git.checkout(['-q', 'feature']))
          .then(() => git.rebase(['main'])),
      ['web changed'],
    ],
  ]
  for (const [name, change, outcomes] of states) {
    await change()
    await rm(join(none, 'wadi/inspections'), { recursive: true, force: true })
    const expected = await run(none)
    const { applications } = JSON.parse(expected.stdout) as {
      applications: { name: string; outcome: string }[]
    }
    assert.deepEqual(
      applications.map((one) => `${one.name} ${one.outcome}`),
      outcomes,
      `${name}: ${expected.stdout} ${expected.stderr}`,
    )
    assert.deepEqual(await run(kept), expected, name)
    assert.deepEqual(await run(kept), expected, `${name}, again`)
  }
  assert.deepEqual((await readdir(join(kept, 'wadi/inspections'))).length, 1)
  const off = await makeCacheHome(join(caches.path, 'off'))
  const before = await readdir(off)
  assert.deepEqual(await run(join(caches.path, 'off'), { WADI_REUSE: 'off' }), await run(kept))
  assert.deepEqual(await readdir(off), before)
})
