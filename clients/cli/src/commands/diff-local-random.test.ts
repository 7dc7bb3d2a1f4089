import assert from 'node:assert/strict'
import { test } from 'node:test'
import { cacheHome } from '@wadi/testing/tool-cache.ts'
import { simpleGit } from 'simple-git'
import { Gateway } from '../testing/gateway-fixture.ts'
import { runWadi } from '../testing/run-wadi-fixture.ts'
import { startWorkingCopy } from '../testing/working-copy-fixture.ts'

const repoURL = 'https://git.example.com/team/deploy.git'

const config = `apiVersion: v1
kind: ConfigMap
metadata: {name: login}
data:
  password: {{ if .Values.password }}{{ .Values.password }}{{ else }}{{ randAlphaNum 20 }}{{ end }}
  replicas: {{ .Values.replicas | quote }}
---
apiVersion: v1
kind: Secret
metadata: {name: login}
data:
  password: {{ randAlphaNum 20 | b64enc }}
`

test('values that differ at each render are masked and named, and alone are no change, in every form', async () => {
  await using copy = await startWorkingCopy({
    'web.yaml': `apiVersion: argoproj.io/v1alpha1
kind: Application
metadata: {name: web, namespace: argocd}
spec:
  destination: {server: https://kubernetes.default.svc, namespace: shop}
  sourceHydrator:
    drySource: {repoURL: ${repoURL}, targetRevision: main, path: web}
    syncSource: {targetBranch: environments/prod, path: web}
`,
    'web/Chart.yaml': 'apiVersion: v2\nname: web\nversion: 1.0.0\n',
    'web/values.yaml': 'replicas: 1\n',
    'web/templates/login.yaml': config,
  })
  await simpleGit(copy.root).addRemote('origin', repoURL)
  const run = (...flags: string[]) =>
    runWadi(['diff', '--local', '--files', ...flags], {
      directory: copy.root,
      environment: { XDG_CACHE_HOME: cacheHome },
    })
  const note = /random at each render: .*ConfigMap.* login: data\.password.*web\/templates\/login\.yaml:5/
  await copy.write('web/values.yaml', 'replicas: 1\nother: 1\n')
  for (const form of ['text', 'markdown', 'json', 'html']) {
    const { stdout, stderr, code } = await run('-o', form)
    assert.deepEqual([stderr, code], ['', 0], form)
    assert.match(stdout, note)
    if (form === 'text')
      assert.match(stdout, /^Applications: {2}1 unchanged\nBranches: {6}none changed\nObjects: {7}none$/m)
  }
  await copy.write('web/values.yaml', 'replicas: 2\n')
  const changed = await run()
  assert.equal(changed.code, 1)
  assert.match(changed.stdout, /^Objects: {7}1 changed$/m)
  assert.match(
    changed.stdout,
    /^ {3}password: <random at each render>\n-  replicas: "1"\n\+  replicas: "2"$/m,
  )
  await copy.write('web/values.yaml', 'replicas: 1\npassword: fixed\n')
  assert.match((await run()).stdout, /^-  password: <random at each render>\n\+  password: fixed$/m)
})

test('what a branch has is masked as it was rendered, so that a value that becomes random is a change', async () => {
  const template = (value: string): string =>
    `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: login}\ndata:\n  password: ${value}\n`
  await using copy = await startWorkingCopy({
    'web/Chart.yaml': 'apiVersion: v2\nname: web\nversion: 1.0.0\n',
    'web/templates/login.yaml': template('fixed'),
  })
  await using gateway = await Gateway.start()
  const git = simpleGit(copy.root)
  await git.addRemote('origin', repoURL)
  const drySource = { repoURL, targetRevision: 'main', path: 'web' }
  const serve = async (value: string) => {
    const drySHA = (await git.revparse(['HEAD'])).trim()
    gateway.manifests = () => ({ manifest: template(value) })
    gateway.applications.set('web', {
      apiVersion: 'argoproj.io/v1alpha1',
      kind: 'Application',
      metadata: { name: 'web', namespace: 'argocd' },
      spec: {
        destination: { server: 'https://kubernetes.default.svc', namespace: 'shop' },
        sourceHydrator: { drySource, syncSource: { targetBranch: 'environments/prod', path: 'web' } },
      },
      status: { sourceHydrator: { lastSuccessfulOperation: { drySHA } } },
    })
  }
  const run = () =>
    runWadi(['diff', '--local'], {
      directory: copy.root,
      environment: { ...gateway.environment, XDG_CACHE_HOME: cacheHome },
    })
  await serve('fixed')
  await copy.write('web/templates/login.yaml', template('{{ randAlphaNum 20 }}'))
  assert.match((await run()).stdout, /^-  password: fixed\n\+  password: <random at each render>$/m)
  await git.add('.').commit('random')
  await serve('made-before')
  await copy.write('web/values.yaml', 'other: 1\n')
  const { stdout, code } = await run()
  assert.equal(code, 0)
  assert.match(stdout, /^Applications: {2}1 unchanged\n[^]*random at each render: /m)
})
