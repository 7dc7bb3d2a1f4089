import assert from 'node:assert/strict'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { startGitHttpServer } from '@wadi/testing/git-http-server.ts'
import { createRepository } from '@wadi/testing/git-repository.ts'
import type { TestRepository } from '@wadi/testing/git-repository.ts'
import { sharedMeshFixture } from '../testing/mesh-fixture.ts'
import { loggedMessage } from '../testing/run-wadi-fixture.ts'

const addons = 'examples/git-generator-directory/cluster-addons'

const mesh = await sharedMeshFixture()
const { directory } = mesh
let repository: TestRepository
const owned = new AsyncDisposableStack()
before(async () => {
  const git = owned.use(await startGitHttpServer())
  const { url } = await git.createRepository('applicationset.git')
  repository = await createRepository(join(directory, 'work'))
  await repository.git.addRemote('origin', url)
  await pushAddons({ 'argo-workflows': 'kind: A', 'prometheus-operator': 'kind: B' })
  await writeFile(join(directory, 'cluster-addons.yaml'), exampleOf(url))
  await wadi('repo', 'add', url)
})
after(() => owned.disposeAsync())

/** Applications of the proposal's example have no hydrated branch. */
const warning =
  'Warning: Applications of the set: spec.sourceHydrator is missing: the Application is stored but not hydrated\n'

/** The example of the proposal, with another repository. */
function exampleOf(repoURL: string): string {
  return `# cluster-addons.yaml:
apiVersion: argoproj.io/v1alpha1
kind: ApplicationSet
metadata:
  name: cluster-addons
spec:
  generators:
  - git:
      repoURL: ${repoURL}
      revision: HEAD
      directories:
      - path: ${addons}/*
  template:
    metadata:
      name: '{{path.basename}}'
    spec:
      project: default
      source:
        repoURL: ${repoURL}
        targetRevision: HEAD
        path: '{{path}}'
      destination:
        server: https://kubernetes.default.svc
        namespace: '{{path.basename}}'
`
}

async function pushAddons(files: Record<string, string | undefined>): Promise<void> {
  const paths = Object.entries(files).map(([name, text]) => [`${addons}/${name}/object.yaml`, text])
  await repository.commitFiles(Object.fromEntries(paths), 'Change add-ons')
  await repository.git.push(['origin', 'main'])
}

function wadi(...args: string[]) {
  return mesh.operate(args, { directory })
}

async function ownedNames(): Promise<string> {
  return (await wadi('app', 'list', '--appset', 'cluster-addons', '-o', 'name')).stdout
}

test('the example of the proposal is created, shown, compared, changed, generated again and deleted', async () => {
  const file = join(directory, 'cluster-addons.yaml')
  const previewed = await wadi('appset', 'diff', 'cluster-addons.yaml')
  assert.equal(previewed.code, 1, previewed.stderr)
  assert.deepEqual(previewed.stdout.match(/^=====.*$/gm), [
    '===== create ApplicationSet argocd/cluster-addons ======',
    '===== create Application argocd/argo-workflows ======',
    '===== create Application argocd/prometheus-operator ======',
  ])
  const created = await wadi('appset', 'create', 'cluster-addons.yaml', '--wait', '--timeout', '60')
  assert.deepEqual([created.stderr, created.code], [`${warning}ApplicationSet 'cluster-addons' created\n`, 0])
  assert.match(created.stdout, /^Health Status: {6}Healthy$/m)
  const listed = await wadi('appset', 'list')
  assert.match(listed.stdout, /^argocd\/cluster-addons {2}default {2}sync .* 2$/m)
  assert.equal(await ownedNames(), 'argocd/argo-workflows\nargocd/prometheus-operator\n')
  const shown = await wadi('appset', 'get', 'cluster-addons')
  assert.match(shown.stdout, /^ResourcesUpToDate +True +All applications have been generated successfully/m)
  assert.match(shown.stdout, /^argo-workflows +default /m)
  assert.equal((await wadi('appset', 'diff', 'cluster-addons.yaml')).stdout, '')
  const again = await wadi('appset', 'create', 'cluster-addons.yaml')
  assert.deepEqual([again.stderr, again.code], [`${warning}ApplicationSet 'cluster-addons' unchanged\n`, 0])

  await writeFile(
    file,
    (await readFile(file, 'utf8')).replace('project: default', 'project: default # ours\n      info: []'),
  )
  const refused = await wadi('appset', 'create', 'cluster-addons.yaml')
  assert.equal(refused.code, 20)
  assert.match(refused.stderr, /existing ApplicationSet spec is different, use upsert flag to force update/)
  const changed = await wadi('appset', 'diff', 'cluster-addons.yaml')
  assert.deepEqual(changed.stdout.match(/^\+ .*$/gm), ['+      info: []', '+  info: []', '+  info: []'])
  const applied = await wadi('appset', 'apply', 'cluster-addons.yaml')
  assert.equal(applied.stdout, 'applicationset.argoproj.io/cluster-addons configured\n')
  assert.equal(applied.stderr, `${warning}Applications of 'cluster-addons': 2 updated\n`)

  await pushAddons({ 'argo-workflows': undefined, 'prometheus-operator': undefined })
  const waiting = await wadi('appset', 'refresh', 'cluster-addons')
  assert.equal(waiting.code, 20)
  assert.match(waiting.stdout, /^keep +argo-workflows .*\nkeep +prometheus-operator /m)
  assert.match(waiting.stderr, /2 of 2 Applications stay.*wadi appset refresh cluster-addons --confirm/)
  assert.equal(await ownedNames(), 'argocd/argo-workflows\nargocd/prometheus-operator\n')
  await pushAddons({ 'prometheus-operator': 'kind: B' })
  const asked = await wadi('appset', 'refresh', 'cluster-addons')
  assert.match(asked.stderr, /deletes an Application: argo-workflows; .* repeat the command with --yes/)
  assert.equal(await ownedNames(), 'argocd/argo-workflows\nargocd/prometheus-operator\n')
  const fewer = await wadi('appset', 'refresh', 'cluster-addons', '--yes', '--wait', '--timeout', '60')
  assert.deepEqual([fewer.stderr, fewer.code], ['', 0])
  assert.equal(await ownedNames(), 'argocd/prometheus-operator\n')

  const deleted = await wadi('appset', 'delete', 'cluster-addons', '--yes', '--wait', '--timeout', '60')
  assert.deepEqual([deleted.stdout, deleted.code], ["applicationset 'cluster-addons' deleted\n", 0])
  assert.equal((await wadi('app', 'list', '-o', 'json')).stdout, '[]\n')
  assert.equal((await wadi('appset', 'list', '-o', 'yaml')).stdout, '[]\n')
})

test('a field that does not exist is refused by name, and nothing is stored of the sets before it', async () => {
  const text = await readFile(join(directory, 'cluster-addons.yaml'), 'utf8')
  const wrong = text.replace('name: cluster-addons', 'name: other').replace('spec:', 'sepc: {}\nspec:')
  await writeFile(join(directory, 'sets.yaml'), `${text}---\n${wrong}`)
  const { stdout, stderr, code } = await wadi('appset', 'create', 'sets.yaml')
  assert.deepEqual([stdout, code], ['', 20])
  const line = text.split('\n').length + 2
  assert.match(
    loggedMessage(stderr),
    new RegExp(`^sets\\.yaml:${line}: other: rpc error: .*unknown field sepc; did you mean spec\\?`, 's'),
  )
  assert.equal((await wadi('appset', 'list', '-o', 'name')).stdout, '')
})
