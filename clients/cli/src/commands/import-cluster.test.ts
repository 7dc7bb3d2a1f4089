import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { crdFiles } from '@wadi/testing/kubernetes-api/crd-files.ts'
import { writeKubeconfig } from '@wadi/testing/kubernetes-api/kubeconfig-file.ts'
import { startKubernetesApi } from '@wadi/testing/kubernetes-api/kubernetes-api.ts'
import { importRepository as repoURL, startImport } from '../testing/import-fixture.ts'

const apiVersion = 'argoproj.io/v1alpha1'
const spec = (path: string) => ({
  project: 'default',
  destination: { server: 'https://kubernetes.default.svc' },
  source: { repoURL, path, targetRevision: 'HEAD' },
})

test('what a cluster has is shown as it would be, and what others made is named', async () => {
  await using api = await startKubernetesApi()
  await api.applyCrds(...crdFiles)
  await using copy = await startImport({})
  const kubeconfig = join(copy.root, '../kubeconfig')
  await writeKubeconfig(kubeconfig, api.config)
  const put = (
    kind: string,
    name: string,
    content: Record<string, unknown>,
    metadata: Record<string, unknown> = {},
  ) => api.put({ apiVersion, kind, metadata: { namespace: 'argocd', name, ...metadata }, spec: content })
  put('Application', 'web', spec('charts/web'), { annotations: { 'example.com/team': 'shop' } })
  const tracked = {
    annotations: { 'argocd.argoproj.io/tracking-id': 'apps:argoproj.io/Application:argocd/child' },
  }
  put('Application', 'child', spec('plain'), tracked)
  const owner = { apiVersion, kind: 'ApplicationSet', name: 'all', uid: '1' }
  put('Application', 'made', spec('plain'), { ownerReferences: [owner] })
  const template = { metadata: { name: '{{name}}' }, spec: spec('plain') }
  put('ApplicationSet', 'all', { generators: [{ list: { elements: [{ name: 'made' }] } }], template })

  const helms = { labels: { 'app.kubernetes.io/managed-by': 'Helm' } }
  put(
    'ApplicationSet',
    'released',
    { generators: [{ list: { elements: [{ name: 'red' }] } }], template },
    helms,
  )

  const { stdout, code } = await copy.wadi(['import', '--kubeconfig', kubeconfig, '--check'])
  assert.equal(code, 0)
  assert.equal(
    stdout,
    `KIND            NAME             OUTCOME  BRANCH                   PATH      RELEASE  FILE
Application     argocd/child     stays                                                
Application     argocd/web       moves    environments/in-cluster  web       web      
ApplicationSet  argocd/all       moves    environments/in-cluster  {{name}}           
ApplicationSet  argocd/released  stays                                                

Application argocd/child stays: Application apps made it and would undo the change; import the files that it is made from
ApplicationSet argocd/released stays: Helm made it and would undo the change; import the files that it is made from

argocd/web: equal (1 object)
argocd/made: equal (1 object)
`,
  )
  const json = await copy.wadi(['import', '--kubeconfig', kubeconfig, '--app', 'web', '-o', 'json'])
  assert.deepEqual(JSON.parse(json.stdout)[0].object.metadata, {
    namespace: 'argocd',
    name: 'web',
    annotations: { 'example.com/team': 'shop' },
  })
  const refused = await copy.wadi(['import', '--kubeconfig', kubeconfig, '--write'])
  assert.match(refused.stderr, /--kubeconfig reads from a cluster, and no file is changed/)
})
