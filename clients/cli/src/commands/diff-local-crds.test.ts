import assert from 'node:assert/strict'
import { test } from 'node:test'
import { cacheHome } from '@wadi/testing/tool-cache.ts'
import { simpleGit } from 'simple-git'
import { Gateway } from '../testing/gateway-fixture.ts'
import { runWadi } from '../testing/run-wadi-fixture.ts'
import { startWorkingCopy } from '../testing/working-copy-fixture.ts'

const repoURL = 'https://git.example.com/team/deploy.git'

const config = (size: number): string =>
  `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: web}\ndata: {size: "${size}"}\n`

const definition = (scope: string): string =>
  `apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata: {name: pods.example.com}\nspec: {scope: ${scope}}\n`

const application = (annotations: string): string => `apiVersion: argoproj.io/v1alpha1
kind: Application
metadata: {name: web, namespace: argocd, annotations: {${annotations}}}
spec:
  destination: {server: https://kubernetes.default.svc, namespace: shop}
  sourceHydrator:
    drySource: {repoURL: ${repoURL}, targetRevision: main, path: web}
    syncSource: {targetBranch: environments/prod, path: web}
`

test('definitions that an Application leaves out are no change, until it writes them', async () => {
  await using copy = await startWorkingCopy({
    'app.yaml': application('wadi.dev/crds: omit'),
    'web/config.yaml': config(1),
    'web/definition.yaml': definition('Namespaced'),
  })
  await simpleGit(copy.root).addRemote('origin', repoURL)
  const run = () =>
    runWadi(['diff', '--local', '--files'], {
      directory: copy.root,
      environment: { XDG_CACHE_HOME: cacheHome },
    })
  await copy.write('web/definition.yaml', definition('Cluster'))
  const { stdout, stderr, code } = await run()
  assert.deepEqual([stderr, code], ['', 0])
  assert.match(stdout, /^Applications: {2}1 unchanged$/m)
  await copy.write('app.yaml', application(''))
  assert.match((await run()).stdout, /^Objects: {7}1 created$/m)
})

test('definitions that a branch leaves out by its project are not shown as new', async () => {
  await using copy = await startWorkingCopy({
    'web/config.yaml': config(1),
    'web/definition.yaml': definition('Namespaced'),
  })
  await using gateway = await Gateway.start()
  const git = simpleGit(copy.root)
  await git.addRemote('origin', repoURL)
  const drySHA = (await git.revparse(['HEAD'])).trim()
  gateway.manifests = () => ({ manifest: config(1), metadata: '{"crds":"omit"}' })
  gateway.applications.set('web', {
    apiVersion: 'argoproj.io/v1alpha1',
    kind: 'Application',
    metadata: { name: 'web', namespace: 'argocd' },
    spec: {
      destination: { server: 'https://kubernetes.default.svc', namespace: 'shop' },
      sourceHydrator: {
        drySource: { repoURL, targetRevision: 'main', path: 'web' },
        syncSource: { targetBranch: 'environments/prod', path: 'web' },
      },
    },
    status: { sourceHydrator: { lastSuccessfulOperation: { drySHA } } },
  })
  await copy.write('web/config.yaml', config(2))
  const { stdout } = await runWadi(['diff', '--local'], {
    directory: copy.root,
    environment: { ...gateway.environment, XDG_CACHE_HOME: cacheHome },
  })
  assert.match(stdout, /^Objects: {7}1 changed$/m)
})
