import assert from 'node:assert/strict'
import { test } from 'node:test'
import { cacheHome } from '@wadi/testing/tool-cache.ts'
import { simpleGit } from 'simple-git'
import { runWadi } from '../testing/run-wadi-fixture.ts'
import { startWorkingCopy } from '../testing/working-copy-fixture.ts'

const repoURL = 'https://git.example.com/team/deploy.git'

interface Written {
  readonly namespace?: string
  readonly project?: string
  readonly server?: string
  readonly destinationNamespace?: string
  readonly source?: string
  readonly branch?: string
  readonly path?: string
}

function application(name: string, of: Written = {}): string {
  const { namespace = 'argocd', project = 'default', server = 'https://kubernetes.default.svc' } = of
  const { destinationNamespace = 'shop', source = 'web', branch = 'environments/prod', path = 'web' } = of
  return `apiVersion: argoproj.io/v1alpha1
kind: Application
metadata: {name: ${name}, namespace: ${namespace}}
spec:
  project: ${project}
  destination: {server: ${server}, namespace: ${destinationNamespace}}
  sourceHydrator:
    drySource: {repoURL: ${repoURL}, targetRevision: main, path: ${source}}
    syncSource: {targetBranch: ${branch}, path: ${path}}
`
}

const configMap = (name: string, value: string): string =>
  `apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: ${name}\ndata:\n  value: "${value}"\n`

/** A checkout whose Applications are all in one file, and what `wadi diff --local` says after another text of it. */
async function startCheckout(applications: readonly string[]) {
  const copy = await startWorkingCopy({
    'applications.yaml': applications.join('---\n'),
    'web/a.yaml': configMap('a', 'one') + '---\n' + configMap('b', 'one'),
    'api/a.yaml': configMap('api', 'one'),
  })
  await simpleGit(copy.root).addRemote('origin', repoURL)
  const run = (...flags: string[]) =>
    runWadi(['diff', '--local', '--files', ...flags], {
      directory: copy.root,
      environment: { XDG_CACHE_HOME: cacheHome },
    })
  return {
    write: (...texts: string[]) => copy.write('applications.yaml', texts.join('---\n')),
    copy,
    run,
    [Symbol.asyncDispose]: () => copy[Symbol.asyncDispose](),
  }
}

test('an Application renamed in place is one change that says what it was called, in every form', async () => {
  await using checkout = await startCheckout([
    application('web'),
    application('api', { source: 'api', path: 'api' }),
  ])
  await checkout.write(application('shop'), application('api', { source: 'api', path: 'api' }))
  const text = await checkout.run()
  assert.deepEqual([text.stderr, text.code], ['', 1])
  assert.match(
    text.stdout,
    /^Applications: {2}1 changed, 1 unchanged\nBranches: {6}1 changed\nObjects: {7}none$/m,
  )
  assert.match(text.stdout, /^ {2}argocd\/shop {2}changed, renamed from argocd\/web$/m)
  assert.doesNotMatch(text.stdout, /=====/)
  const markdown = await checkout.run('-o', 'markdown')
  assert.match(markdown.stdout, /\| `argocd\/shop` \| `changed, renamed from argocd\/web` \|/)
  assert.match((await checkout.run('-o', 'html')).stdout, /argocd\/shop {2}changed, renamed from argocd\/web/)
  const json = JSON.parse((await checkout.run('-o', 'json')).stdout) as {
    applications: { name: string; renamedFrom?: unknown; objects: unknown[] }[]
  }
  assert.deepEqual(
    json.applications.map(({ name, renamedFrom, objects }) => ({ name, renamedFrom, objects })),
    [{ name: 'shop', renamedFrom: { namespace: 'argocd', name: 'web' }, objects: [] }],
  )
  for (const name of ['web', 'shop']) {
    const asked = await checkout.run(name)
    assert.equal(asked.code, 1)
    assert.match(asked.stdout, /^Applications: {2}1 changed\n[^]*renamed from argocd\/web$/m)
  }
})

test('what changes beside the name of a renamed Application is shown as a change', async () => {
  await using checkout = await startCheckout([application('web')])
  await checkout.copy.write('web/a.yaml', configMap('a', 'two') + '---\n' + configMap('b', 'one'))
  await checkout.write(application('shop', { namespace: 'teams', project: 'shops' }))
  const { stdout } = await checkout.run()
  assert.match(stdout, /^Applications: {2}1 changed\nBranches: {6}1 changed\nObjects: {7}1 changed$/m)
  assert.match(
    stdout,
    /teams\/shop {2}changed, renamed from argocd\/web, project shops \(was default\) {2}~1$/m,
  )
  await checkout.write(application('shop', { path: 'shop' }))
  assert.match(
    (await checkout.run()).stdout,
    /argocd\/shop {2}changed, renamed from argocd\/web, moved from web on branch environments\/prod {2}~1$/m,
  )
  // Another source takes over the directory: its objects go and come.
  await checkout.write(application('shop', { source: 'api' }))
  assert.match(
    (await checkout.run()).stdout,
    /^Applications: {2}1 changed\nBranches: {6}1 changed\nObjects: {7}1 removed, 1 renamed$/m,
  )
})

test('another project, cluster or namespace of the destination is a change, with the same objects too', async () => {
  await using checkout = await startCheckout([application('web')])
  const cases: [Written, string, string][] = [
    [{ project: 'shops' }, 'project shops (was default)', 'none changed'],
    [
      { server: 'https://other.example.com' },
      'destination https://other.example.com namespace shop (was https://kubernetes.default.svc namespace shop)',
      'none changed',
    ],
    [
      { destinationNamespace: 'shop2' },
      'destination https://kubernetes.default.svc namespace shop2 (was https://kubernetes.default.svc namespace shop)',
      '1 changed',
    ],
  ]
  for (const [changed, text, branches] of cases) {
    await checkout.write(application('web', changed))
    const { stdout, code } = await checkout.run()
    assert.equal(code, 1)
    assert.ok(stdout.includes(`  argocd/web  changed, ${text}\n`), stdout)
    assert.ok(
      stdout.includes(`Applications:  1 changed\nBranches:      ${branches}\nObjects:       none\n`),
      stdout,
    )
    assert.ok((await checkout.run('-o', 'markdown')).stdout.includes(`\`changed, ${text}\``))
    assert.equal((await checkout.run('--no-exit-code')).code, 0)
  }
})

test('Applications that could be several others are no renames, and all that goes and comes is counted', async () => {
  const [one, two] = [
    { destinationNamespace: 'one', path: 'web' },
    { destinationNamespace: 'two', path: 'web' },
  ]
  await using checkout = await startCheckout([application('one', one), application('two', two)])
  await checkout.write(application('first', one), application('second', two))
  assert.match(
    (await checkout.run()).stdout,
    /argocd\/first {2}changed, renamed from argocd\/one\n {2}argocd\/second {2}changed, renamed from argocd\/two$/m,
  )
  await checkout.write(application('first', { path: 'web' }))
  const { stdout } = await checkout.run()
  assert.match(
    stdout,
    /^Applications: {2}1 added, 2 removed\nBranches: {6}1 changed\nObjects: {7}2 created, 2 removed$/m,
  )
})
