import assert from 'node:assert/strict'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { crdFiles } from '@wadi/testing/kubernetes-api/crd-files.ts'
import { writeKubeconfig } from '@wadi/testing/kubernetes-api/kubeconfig-file.ts'
import { startKubernetesApi } from '@wadi/testing/kubernetes-api/kubernetes-api.ts'
import { shadowedApplication as application, startShadow } from '../testing/shadow-fixture.ts'

const chart = {
  'web/Chart.yaml': 'apiVersion: v2\nname: web\nversion: 1.0.0\n',
  'web/values.yaml': 'replicas: 1\n',
  'web/templates/all.yaml': `apiVersion: v1
kind: Service
metadata: {name: a-{{ .Release.Name }}}
---
apiVersion: v1
kind: ConfigMap
metadata: {name: b-{{ .Release.Name }}}
data: {replicas: {{ .Values.replicas | quote }}}
---
apiVersion: v1
kind: Secret
metadata: {name: c-{{ .Release.Name }}}
stringData: {token: "token-{{ .Values.replicas }}"}
`,
}
/** The objects as Helm prints them, in the bytes of Argo CD. */
const printed = (name: string, replicas: number) => `apiVersion: v1
kind: Secret
metadata:
  name: c-${name}
stringData:
  token: token-${replicas}
---
apiVersion: v1
data:
  replicas: "${replicas}"
kind: ConfigMap
metadata:
  name: b-${name}
---
apiVersion: v1
kind: Service
metadata:
  name: a-${name}
`
const named = { source: { helm: { releaseName: 'web' } } }
const asArgoCd = { 'wadi.dev/layout': 'as-argo-cd' }
const record = (drySha: string) => JSON.stringify({ repoURL: 'https://git.example.com/deploy', drySha })

/** The files that Argo CD's hydrator writes for the chart. */
const hydrated = (drySha: string, replicas: number) => ({
  'hydrator.metadata': record(drySha),
  '.gitattributes': '**/README.md linguist-generated=true',
  'web/manifest.yaml': printed('web', replicas),
  'web/README.md': '# Manifest Hydration\n',
  'web/hydrator.metadata': record(drySha),
})

test('a branch of Argo CD is compared at the dry commit of its note, and nothing is written to the remote', async () => {
  await using shadow = await startShadow()
  const { url } = shadow
  const drySha = await shadow.pushDry({ ...chart, 'apps/web.json': application('web', url, named) })
  const sha = await shadow.pushHydrated(hydrated('0'.repeat(40), 1), 'Hydrate', record(drySha))
  await shadow.pushDry({ 'web/values.yaml': 'replicas: 7\n' })
  const refs = await shadow.refs()
  const equal = await shadow.shadow('apps')
  assert.deepEqual([equal.stderr, equal.code], ['', 0])
  assert.equal(
    equal.stdout,
    `APPLICATION  OUTCOME  OBJECTS  BRANCH             PATH  COMMIT   DRY
argocd/web   equal    3        environments/prod  web   ${sha.slice(0, 7)}  ${drySha.slice(0, 7)}

argocd/web: the order of the objects differs; annotation wadi.dev/layout: as-argo-cd keeps that of the branch
`,
  )
  await shadow.pushDry({
    'apps/web.json': application('web', url, { ...named, annotations: asArgoCd }),
    'apps/unnamed.json': application('unnamed', url, { source: { path: 'web' } }),
    'apps/elsewhere.json': application('elsewhere', 'https://127.0.0.1:9/none.git'),
  })
  const identical = await shadow.shadow('apps', '--app', 'web', '-o', 'json')
  assert.equal(identical.code, 0)
  const rows = JSON.parse(identical.stdout) as { hydratedAt: string }[]
  const hydratedAt = rows[0]?.hydratedAt ?? ''
  assert.match(hydratedAt, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/)
  assert.deepEqual(rows, [
    {
      name: 'argocd/web',
      outcome: 'identical',
      repoURL: url,
      branch: 'environments/prod',
      path: 'web',
      hydratedSha: sha,
      hydratedAt,
      drySha,
      objects: 3,
      notes: [],
      differences: [],
    },
  ])
  const missing = await shadow.shadow('apps', '--app', 'argocd/unnamed', '-o', 'yaml')
  assert.match(missing.stdout, /^- branch: environments\/prod\n[^]*^  outcome: missing$/m)
  assert.equal(missing.code, 1)
  const failed = await shadow.shadow('apps')
  assert.match(
    failed.stdout,
    /^argocd\/elsewhere: not compared: .*127\.0\.0\.1.*see to it that "git ls-remote/m,
  )
  assert.equal(failed.code, 2)
  assert.equal(
    (await shadow.refs()).replace(/.*refs\/heads\/main\n/, ''),
    refs.replace(/.*refs\/heads\/main\n/, ''),
  )
})

test('objects that differ are shown without the values of Secrets, and the name that a chart lacks is named', async () => {
  await using shadow = await startShadow()
  const drySha = await shadow.pushDry({ ...chart, 'apps/web.json': application('web', shadow.url) })
  await shadow.pushHydrated(hydrated(drySha, 2))
  const { stdout, code } = await shadow.shadow('apps')
  assert.match(stdout, /^argocd\/web: 6 objects differ$/m)
  assert.match(stdout, /^argocd\/web: .*\{helm: \{releaseName: NAME\}\}$/m)
  assert.equal(code, 1)
  await shadow.pushDry({ 'apps/web.json': application('web', shadow.url, named) })
  const named2 = await shadow.shadow('apps')
  assert.match(
    named2.stdout,
    /^argocd\/web: 2 objects differ\nargocd\/web: not in git: [^\n]*\n\n===== \/ConfigMap \/b-web ======\n--- branch environments\/prod\n\+\+\+ Wadi\n[^]*^-  replicas: "2"\n\+  replicas: "1"\n[^]*===== \/Secret \/c-web/m,
  )
  assert.doesNotMatch(named2.stdout, /token-/)
})

test('any tree of files that a script pushes is compared, at the commit of its message or the newest one', async () => {
  await using shadow = await startShadow()
  const { url } = shadow
  const drySha = await shadow.pushDry({ ...chart, 'apps/web.json': application('web', url, named) })
  const [secret = '', config = '', service = ''] = printed('web', 1).split('---\n')
  const files = {
    'web/config.yml': `# by a script\n${config}`,
    'web/more/rest.yaml': `${secret}---\n${service}`,
  }
  await shadow.pushHydrated({ ...files, 'web/notes.txt': 'none' }, `Render\n\nSource-commit: ${drySha}\n`)
  await shadow.pushDry({ 'web/values.yaml': 'replicas: 7\n' })
  const recorded = await shadow.shadow('apps')
  assert.match(recorded.stdout, new RegExp(`^argocd/web   equal    3 .* ${drySha.slice(0, 7)}\n$`, 'm'))
  assert.equal(recorded.code, 0)
  await shadow.pushHydrated({ 'web/notes.txt': undefined }, 'Render')
  const newest = await shadow.shadow('apps')
  assert.match(
    newest.stdout,
    /^argocd\/web: 2 objects differ\nargocd\/web: not in git: [^\n]*\nargocd\/web: branch environments\/prod names no commit of the dry repository, so its newest is compared: /m,
  )
  assert.equal(newest.code, 1)
  await shadow.pushHydrated({ 'web/more/rest.yaml': 'name: nothing\n' }, `Render ${drySha}`)
  const broken = await shadow.shadow('apps')
  assert.match(broken.stdout, /^argocd\/web: not compared: web\/more\/rest\.yaml:1: /m)
  assert.equal(broken.code, 2)
})

test('a dry commit that is named and cannot be fetched fails, while one of another repository is passed over', async () => {
  await using shadow = await startShadow()
  const { url } = shadow
  const drySha = await shadow.pushDry({ ...chart, 'apps/web.json': application('web', url, named) })
  const other = 'f'.repeat(40)
  await shadow.pushHydrated(hydrated(drySha, 1), `Render ${other}`, record(other))
  const passed = await shadow.shadow('apps')
  assert.match(passed.stdout, new RegExp(`^argocd/web +equal .* ${drySha.slice(0, 7)}\n`, 'm'))
  const lost = await shadow.pushDry({ 'web/values.yaml': 'replicas: 7\n' })
  await shadow.pushHydrated({}, 'Hydrate', record(lost))
  await shadow.pushDry({ 'web/values.yaml': 'replicas: 1\n' })
  await shadow.lose(`${lost}:web/values.yaml`)
  const failed = await shadow.shadow('apps')
  assert.match(failed.stdout, /^argocd\/web: not compared: /m)
  assert.equal(failed.code, 2)
})

test('the Applications of a cluster are compared, also those that sets made', async () => {
  await using api = await startKubernetesApi()
  await api.applyCrds(...crdFiles)
  await using shadow = await startShadow()
  const drySha = await shadow.pushDry(chart)
  await shadow.pushHydrated(hydrated(drySha, 1))
  const kubeconfig = join(shadow.checkout, '../kubeconfig')
  await writeKubeconfig(kubeconfig, api.config)
  const apiVersion = 'argoproj.io/v1alpha1'
  const { spec } = JSON.parse(application('web', shadow.url, named)) as { spec: Record<string, unknown> }
  const ownerReferences = [{ apiVersion, kind: 'ApplicationSet', name: 'all', uid: '1' }]
  const metadata = { name: 'web', namespace: 'argocd', ownerReferences }
  api.put({ apiVersion, kind: 'Application', metadata, spec })
  const { stdout, code } = await shadow.shadow('--kubeconfig', kubeconfig)
  assert.match(stdout, /^argocd\/web +equal +3 /m)
  assert.equal(code, 0)
})

const shared = join(import.meta.dirname, '../../../../../shared')
const [corpus, written] = [join(shared, 'corpus'), join(shared, 'fixtures/argocd-output/hydrated')]
const skip =
  existsSync(corpus) && existsSync(written)
    ? false
    : 'the examples of Argo CD and what it hydrated from them are not beside this checkout'

/** Directories of the corpus of which Argo CD's hydrator wrote a `manifest.yaml` that is not random. */
const names = [
  'argocd-example-apps/blue-green',
  'argocd-example-apps/guestbook',
  'argocd-example-apps/helm-guestbook',
  'argocd-example-apps/helm-hooks',
  'argocd-example-apps/kustomize-guestbook',
  'argocd-example-apps/pre-post-sync',
  'argocd-example-apps/sock-shop',
  'argocd-example-apps/sync-waves',
  'charts/cert-manager',
  'charts/ingress-nginx',
  'charts/kube-state-metrics',
  'charts/metrics-server',
  'charts/prometheus-node-exporter',
]

test(
  'what Argo CD’s own hydrator wrote of charts and examples is the same to the byte',
  { skip },
  async () => {
    await using shadow = await startShadow()
    const dry: Record<string, string | Buffer> = {}
    const branch: Record<string, string | Buffer> = {}
    for (const place of names) {
      const name = place.split('/').at(-1) ?? ''
      const directory = join(corpus, place)
      for (const entry of readdirSync(directory, { recursive: true, withFileTypes: true })) {
        if (!entry.isFile()) continue
        const file = join(entry.parentPath, entry.name)
        dry[`${name}${file.slice(directory.length)}`] = readFileSync(file)
      }
      const helm = existsSync(join(directory, 'Chart.yaml'))
      const source = helm ? { helm: { releaseName: name, kubeVersion: '1.33.0' } } : {}
      dry[`apps/${name}.json`] = application(name, shadow.url, { source, annotations: asArgoCd })
      branch[`${name}/manifest.yaml`] = readFileSync(join(written, `${name}.yaml`))
    }
    const drySha = await shadow.pushDry(dry)
    await shadow.pushHydrated(branch, 'Hydrate', record(drySha))
    const { stdout } = await shadow.shadow('apps', '-o', 'json')
    const outcomes = (JSON.parse(stdout) as { name: string; outcome: string }[]).map(
      ({ name, outcome }) => `${name} ${outcome}`,
    )
    // Of ingress-nginx it was recorded without the tracking of objects, which takes empty annotations away.
    const outcomeOf = (name: string) => (name === 'ingress-nginx' ? 'equal' : 'identical')
    const expected = names
      .map((place) => place.split('/').at(-1) ?? '')
      .map((name) => `argocd/${name} ${outcomeOf(name)}`)
    assert.deepEqual(outcomes.toSorted(), expected.toSorted())
  },
)
