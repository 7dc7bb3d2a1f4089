import assert from 'node:assert/strict'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { crdFiles } from '@wadi/testing/kubernetes-api/crd-files.ts'
import { writeKubeconfig } from '@wadi/testing/kubernetes-api/kubeconfig-file.ts'
import { startKubernetesApi } from '@wadi/testing/kubernetes-api/kubernetes-api.ts'
import { cacheHome } from '@wadi/testing/tool-cache.ts'
import { simpleGit } from 'simple-git'
import { runWadi, temporaryDirectory } from '../testing/run-wadi-fixture.ts'
import { startWorkingCopy } from '../testing/working-copy-fixture.ts'

const corpus = join(import.meta.dirname, '../../../../../shared/corpus/argocd-example-apps')
const skip = existsSync(corpus) ? false : 'the corpus of public examples is not beside this checkout'

/** A clone of a repository with these files. */
async function startCheckout(files: Readonly<Record<string, string>>, repoURL: string) {
  const copy = await startWorkingCopy(files)
  await simpleGit(copy.root).addRemote('origin', repoURL)
  const run = (...flags: string[]) =>
    runWadi(['diff', '--local', ...flags], {
      directory: copy.root,
      environment: { XDG_CACHE_HOME: cacheHome },
    })
  const outcomes = async () => {
    const { stdout, code } = await run('-o', 'json')
    const { applications, summary } = JSON.parse(stdout) as {
      applications: { name: string; outcome: string }[]
      summary: { messages?: string[] }
    }
    const shown = applications.map(({ name, outcome }) => `${name} ${outcome}`)
    return { shown, messages: summary.messages ?? [], code }
  }
  return { ...copy, run, outcomes, [Symbol.asyncDispose]: () => copy[Symbol.asyncDispose]() }
}

/** The repository of Argo CD's examples, whose app of apps has its Applications hydrated. */
function exampleApps(): Record<string, string> {
  const files: Record<string, string> = {}
  for (const directory of ['apps', 'guestbook', 'kustomize-guestbook', 'helm-guestbook']) {
    for (const entry of readdirSync(join(corpus, directory), { recursive: true, withFileTypes: true })) {
      const path = join(entry.parentPath, entry.name)
      if (entry.isFile()) files[path.slice(corpus.length + 1)] = readFileSync(path, 'utf8')
    }
  }
  const template = files['apps/templates/applications.yaml'] ?? ''
  const [before = '', source = '', after = ''] = template.split(/^ {2}source:\n|^(?= {2}syncPolicy:)/m)
  const dry = source.replaceAll(/^ /gm, '   ').replace('nindent 4', 'nindent 6')
  const sync = '    syncSource:\n      targetBranch: environments/prod\n      path: {{ .name }}\n'
  files['apps/templates/applications.yaml'] =
    `${before}  sourceHydrator:\n    drySource:\n${dry}${sync}${after}`
  return files
}

const examples = 'https://github.com/argoproj/argocd-example-apps'
const root = (...names: string[]) => `apiVersion: argoproj.io/v1alpha1
kind: Application
metadata: {name: apps, namespace: argocd}
spec:
  destination: {server: https://kubernetes.default.svc, namespace: argocd}
  project: default
  source:
    repoURL: ${examples}
    path: apps
    helm: {valuesObject: {applications: [${names.map((name) => `{name: ${name}}`).join(', ')}]}}
`

test('Applications are found among the manifests of an app of apps', { skip }, async () => {
  const files: Record<string, string> = {
    ...exampleApps(),
    'root.yaml': root('guestbook', 'helm-guestbook'),
  }
  await using checkout = await startCheckout(files, examples)
  const unchanged = await checkout.run()
  assert.deepEqual([unchanged.stderr, unchanged.code], ['', 0])
  assert.match(unchanged.stdout, /^Applications: {2}2 unchanged$/m)
  await checkout.write('root.yaml', root('guestbook', 'kustomize-guestbook'))
  const service = files['guestbook/guestbook-ui-svc.yaml'] ?? ''
  await checkout.write('guestbook/guestbook-ui-svc.yaml', service.replace('port: 80', 'port: 81'))
  assert.deepEqual(await checkout.outcomes(), {
    shown: [
      'example.guestbook changed',
      'example.helm-guestbook removed',
      'example.kustomize-guestbook added',
    ],
    messages: [],
    code: 1,
  })
})

test('Applications of a cluster are compared with the commit that is checked out', async () => {
  await using api = await startKubernetesApi()
  await api.applyCrds(...crdFiles)
  await using directory = await temporaryDirectory()
  const kubeconfig = join(directory.path, 'kubeconfig')
  await writeKubeconfig(kubeconfig, api.config)
  const drySource = { repoURL, targetRevision: 'main', path: 'apps/web' }
  const syncSource = { targetBranch: 'environments/prod', path: 'web' }
  api.put({
    apiVersion: 'argoproj.io/v1alpha1',
    kind: 'Application',
    metadata: { namespace: 'argocd', name: 'web' },
    spec: {
      project: 'default',
      destination: { server: 'https://kubernetes.default.svc' },
      sourceHydrator: { drySource, syncSource },
    },
  })
  await using checkout = await startCheckout({ 'apps/web/a.yaml': configMap('one') }, repoURL)
  await checkout.write('apps/web/a.yaml', configMap('two'))
  const { stdout, stderr, code } = await checkout.run('--kubeconfig', kubeconfig)
  assert.deepEqual([stderr, code], ['', 1])
  assert.match(stdout, /argocd\/web: changed ConfigMap settings =====[^]*-  value: one\n\+  value: two\n/)
  const elsewhere = await checkout.run('--kubeconfig', join(directory.path, 'nowhere'))
  assert.equal(elsewhere.code, 2)
  assert.match(elsewhere.stderr, /nowhere/)
})

const repoURL = 'https://git.example.com/team/deploy.git'
const configMap = (value: string) =>
  `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: settings}\ndata: {value: "${value}"}\n`
const application = (name: string, path: string) => `
      metadata: {name: '${name}'}
      spec:
        project: default
        destination: {server: https://kubernetes.default.svc, namespace: shop}
        sourceHydrator:
          drySource: {repoURL: ${repoURL}, targetRevision: main, path: '${path}'}
          syncSource: {targetBranch: environments/prod, path: '${name}'}
`
const set = (generators: string, template = application('{{.path.basename}}-{{.stage}}', '{{.path.path}}')) =>
  `apiVersion: argoproj.io/v1alpha1
kind: ApplicationSet
metadata: {name: shop, namespace: argocd}
spec:
  goTemplate: true
  goTemplateOptions: [missingkey=error]
  generators: ${generators}
  template:${template}`
const directories = `{git: {repoURL: ${repoURL}, revision: HEAD, directories: [{path: apps/*}]}}`
const stages = '{list: {elements: [{stage: dev}, {stage: prod}]}}'
const matrix = `{matrix: {generators: [${directories}, ${stages}]}}`

test('ApplicationSets are expanded as far as git decides them, and a generator that it does not decide is named', async () => {
  const files = { 'set.yaml': set(`[${matrix}]`), 'apps/web/a.yaml': configMap('one') }
  await using checkout = await startCheckout(files, repoURL)
  await checkout.write('apps/api/a.yaml', configMap('one'))
  await checkout.write('apps/web/a.yaml', configMap('two'))
  const shown = ['api-dev added', 'api-prod added', 'web-dev changed', 'web-prod changed']
  assert.deepEqual(await checkout.outcomes(), { shown, messages: [], code: 1 })
  await checkout.write(
    'set.yaml',
    set(`[${matrix}, {merge: {mergeKeys: [a], generators: [{clusters: {}}]}}]`),
  )
  const { messages, ...rest } = await checkout.outcomes()
  // What the set does not make any more may be made by the other generator.
  assert.deepEqual(rest, { shown: shown.slice(2), code: 1 })
  assert.deepEqual(messages, [
    'ApplicationSet argocd/shop: what spec.generators[1].merge.generators[0].clusters makes is not compared, as git does not decide it',
  ])
})

test('a set that a change breaks fails, and its Applications are not shown as removed', async () => {
  const files = { 'set.yaml': set(`[${matrix}]`), 'apps/web/a.yaml': configMap('one') }
  await using checkout = await startCheckout(files, repoURL)
  await checkout.write('set.yaml', set(`[${matrix}]`, application('{{.nope}}', '{{.path.path}}')))
  const { stdout, code } = await checkout.run()
  assert.equal(code, 2)
  assert.match(stdout, /argocd\/shop {2}failed\n {4}error: ApplicationSet[^\n]*nope/)
  assert.doesNotMatch(stdout, /removed/)
  await checkout.write(
    'set.yaml',
    set('[{git: {repoURL: https://git.example.com/else.git, revision: HEAD, directories: [{path: "*"}]}}]'),
  )
  const elsewhere = await checkout.run()
  assert.equal(elsewhere.code, 2)
  assert.match(elsewhere.stdout, /another repository than https:\/\/git\.example\.com\/team\/deploy\.git/)
})
