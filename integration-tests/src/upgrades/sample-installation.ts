import assert from 'node:assert/strict'
import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import type { RepositoryFixture } from '../repository-fixture.ts'
import { type InstalledVersion, startVersion } from './installed-version.ts'

/** The user of the git server. */
export const gitUsers = { wadi: 'pass/word: with & signs' }

/** The repository as Applications name it; its server is a proxy, so that every run has the same address. */
export const sampleUrl = 'http://git.example.com/deploy.git'

/** A home directory with an installation, and what it works with. */
export interface SampleInstallation {
  readonly home: string
  /** The address of the git server. */
  readonly proxy: string
  readonly repository: RepositoryFixture
}

/** The value that every manifest has. */
const files = (value: string): Record<string, string> => ({
  'shop/Chart.yaml': 'apiVersion: v2\nname: shop\nversion: 1.0.0\n',
  'shop/values.yaml': `value: ${value}\n`,
  'shop/templates/map.yaml': configMap('{{ .Release.Name }}', '{{ .Values.value }}'),
  'web/kustomization.yaml': 'resources: [map.yaml]\nnamePrefix: prod-\n',
  'web/map.yaml': configMap('web', value),
  'teams/map.yaml': configMap('team', value),
})

function configMap(name: string, value: string): string {
  return `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: "${name}"}\ndata: {value: "${value}"}\n`
}

const source = (directory: string) =>
  `drySource: {repoURL: "${sampleUrl}", targetRevision: main, path: ${directory}}`

const objects = `apiVersion: v1
kind: ConfigMap
metadata: {name: argocd-cm}
data: {accounts.ci: apiKey}
---
apiVersion: argoproj.io/v1alpha1
kind: AppProject
metadata: {name: team}
spec:
  sourceRepos: ["${sampleUrl}"]
  destinations: [{server: "*", namespace: "*"}]
  roles: [{name: reader, policies: ["p, proj:team:reader, applications, get, team/*, allow"]}]
---
apiVersion: argoproj.io/v1alpha1
kind: Application
metadata: {name: shop}
spec:
  project: default
  destination: {server: https://kubernetes.default.svc, namespace: shop}
  sourceHydrator:
    ${source('shop')}
    syncSource: {targetBranch: environments/shop, path: shop}
    hydrateTo: {targetBranch: environments/shop-next}
---
apiVersion: argoproj.io/v1alpha1
kind: Application
metadata: {name: web}
spec:
  project: team
  destination: {server: https://kubernetes.default.svc, namespace: web}
  sourceHydrator:
    ${source('web')}
    syncSource: {targetBranch: environments/prod, path: web}
---
apiVersion: argoproj.io/v1alpha1
kind: ApplicationSet
metadata: {name: teams}
spec:
  goTemplate: true
  generators: [{list: {elements: [{team: red}, {team: blue}]}}]
  template:
    metadata: {name: "team-{{.team}}"}
    spec:
      project: team
      destination: {server: https://kubernetes.default.svc, namespace: "{{.team}}"}
      sourceHydrator:
        ${source('teams')}
        syncSource: {targetBranch: "environments/{{.team}}", path: team}
`

const applications = ['shop', 'team-blue', 'team-red', 'web']

/** The files with the value, by branch. */
const manifests: readonly (readonly [branch: string, file: string])[] = [
  ['environments/blue', 'team/manifest.yaml'],
  ['environments/prod', 'web/manifest.yaml'],
  ['environments/red', 'team/manifest.yaml'],
  ['environments/shop-next', 'shop/manifest.yaml'],
]

/** Has a version make everything in an empty home; returns the token of an account. */
export async function makeInstallation(
  version: InstalledVersion,
  sample: SampleInstallation,
): Promise<string> {
  await sample.repository.push(files('zero'))
  const file = path.join(sample.home, 'objects.yaml')
  await writeFile(file, objects)
  await using running = await startVersion(version, sample.home, sample.proxy)
  const { wadi } = running
  for (const write of [[], ['--write']]) {
    await wadi('repo', 'add', sampleUrl, '--username', 'wadi', '--password', gitUsers.wadi, ...write)
  }
  await wadi('apply', '-f', file)
  await wadi('app', 'wait', ...applications)
  await expectValue(sample.repository, 'zero')
  return (await wadi('account', 'generate-token', '--account', 'ci')).trim()
}

/**
 * Starts a version over what another one left: all objects, credentials and tokens are there, what is hydrated already gets no
 * commit, and a change gets one on each branch.
 */
export async function tryVersion(
  version: InstalledVersion,
  { home, proxy, repository }: SampleInstallation,
  { token, value }: { token: string; value: string },
): Promise<void> {
  await using running = await startVersion(version, home, proxy)
  const { wadi } = running
  const names = async (...list: string[]) => (await wadi(...list, '-o', 'name')).trim().split('\n').toSorted()
  assert.deepEqual(
    (await names('app', 'list')).map((name) => name.replace(/^.*\//, '')),
    applications,
  )
  assert.match(await wadi('proj', 'list'), /^team /m)
  assert.match(await wadi('appset', 'list'), /^(?:argocd\/)?teams /m)
  assert.match(await wadi('--auth-token', token, 'account', 'get-user-info'), /\bci\b/)

  const before = await history(repository)
  await wadi('app', 'hydrate', ...applications, '--hard', '--wait')
  assert.deepEqual(await history(repository), before)

  await repository.pushForeign('main', files(value))
  await wadi('app', 'wait', ...applications)
  await expectValue(repository, value)
  const after = await history(repository)
  assert.deepEqual(
    Object.entries(after).map(([branch, commits]) => [branch, commits.slice(1)]),
    Object.entries(before),
  )
}

/** The commits of each branch with manifests, the newest first. */
async function history(repository: RepositoryFixture): Promise<Record<string, string[]>> {
  const commits = manifests.map(async ([branch]) => [branch, await repository.commits(branch)] as const)
  return Object.fromEntries(await Promise.all(commits))
}

async function expectValue(repository: RepositoryFixture, value: string): Promise<void> {
  for (const [branch, file] of manifests) {
    assert.match(
      await repository.read(branch, file),
      new RegExp(`^ {2}value: ${value}$`, 'm'),
      `${branch} ${file}`,
    )
  }
}
