import assert from 'node:assert/strict'
import { test } from 'node:test'
import { usersMeshOfFile } from '../access/users-fixture.ts'
import { applicationObject } from '../application-fixture.ts'
import { namesGenerator, rejectionOf, setObject } from '../application-sets/set-fixture.ts'
import { compareRevisions } from '../review-fixture.ts'

const mesh = await usersMeshOfFile()
const ann = await mesh.connectAs('ann')
const bob = await mesh.connectAs('bob')
const generators = [namesGenerator('hidden')]
await ann.applicationSets.applyApplicationSet({ applicationSet: setObject({ name: 'hidden', generators }) })
await mesh.admin.clusters.createCluster({
  cluster: { name: 'hidden', server: 'https://hidden', project: 'web' },
})
const credentials = { repoUrl: 'https://git.example.com/hidden', project: 'web', skipValidation: true }
for (const write of [false, true]) await mesh.admin.repositories.createRepository({ ...credentials, write })

const application = (name: string, project: string) =>
  applicationObject({ name, project, repoURL: 'https://git.example.com/x.git', branch: 'environments/x' })
const set = (name: string) => setObject({ name, project: 'web', generators: [namesGenerator('x')] })

/** The questions of a user by a name, about a thing of another project and about nothing under that name. */
const questions: [rpc: string, ask: (name: string) => Promise<unknown>][] = [
  ['GetApplication', (name) => bob.applications.getApplication({ name })],
  ['GetApplication with a refresh', (name) => bob.applications.getApplication({ name, refresh: 'hard' })],
  ['DeleteApplication', (name) => bob.applications.deleteApplication({ name })],
  ['LabelApplication', (name) => bob.applications.labelApplication({ name, labels: { a: 'b' } })],
  ['MoveApplication', (name) => bob.applications.moveApplication({ name, syncBranch: 'environments/moved' })],
  ['HydrateApplication', (name) => bob.applications.hydrateApplication({ name })],
  ['GetManifests', (name) => bob.applications.getManifests({ name })],
  ['GetManifests of a revision', (name) => bob.applications.getManifests({ name, dryRevision: 'main' })],
  [
    'CompareRevisions',
    (name) => {
      const repoUrl = 'https://git.example.com/plain.git'
      return compareRevisions(bob, { repoUrl, revision: 'main', applications: [{ name }] })
    },
  ],
  ['CompareManifests', (name) => bob.applications.compareManifests({ before: { name }, after: { name } })],
  ['ListObjects', (name) => bob.applications.listObjects({ name })],
  ['GetObject', (name) => bob.applications.getObject({ name, object: { kind: 'ConfigMap', name: 'web' } })],
  ['ListObjectOrigins', (name) => bob.applications.listObjectOrigins({ name })],
  [
    'ExplainObject',
    (name) => bob.applications.explainObject({ name, object: { kind: 'ConfigMap', name: 'web' } }),
  ],
  ['GetGates', (name) => bob.applications.getGates({ name })],
  ['ListRuns', (name) => bob.applications.listRuns({ name })],
  ['GetRun', (name) => bob.applications.getRun({ name })],
  ['ListHistory', (name) => bob.applications.listHistory({ name })],
  ['RestoreDrySource', (name) => bob.applications.restoreDrySource({ name, drySha: 'a'.repeat(40) })],
  ['GetParameters', (name) => bob.applications.getParameters({ name })],
  [
    'SetParameters',
    (name) =>
      bob.applications.setParameters({ name, changes: { assignments: [{ target: 'a', value: 'b' }] } }),
  ],
  [
    'UpdateApplication',
    (name) => bob.applications.updateApplication({ application: application(name, 'api') }),
  ],
  [
    'CreateApplication',
    (name) => bob.applications.createApplication({ application: application(name, 'web') }),
  ],
  [
    'CreateApplication with upsert',
    (name) => bob.applications.createApplication({ application: application(name, 'web'), upsert: true }),
  ],
  [
    'ApplyApplications',
    (name) => bob.applications.applyApplications({ applications: [application(name, 'web')] }),
  ],
  ['ApplyResource', (name) => bob.resources.applyResource({ resource: application(name, 'web') })],
  ['GetApplicationSet', (name) => bob.applicationSets.getApplicationSet({ name })],
  ['RefreshApplicationSet', (name) => bob.applicationSets.refreshApplicationSet({ name })],
  ['DeleteApplicationSet', (name) => bob.applicationSets.deleteApplicationSet({ name })],
  [
    'ApplyApplicationSet',
    (name) => bob.applicationSets.applyApplicationSet({ applicationSet: set(name), upsert: true }),
  ],
  ['GetCluster', (cluster) => bob.clusters.getCluster({ cluster })],
  ['DeleteCluster', (cluster) => bob.clusters.deleteCluster({ cluster })],
  ['GetCluster by its address', (name) => bob.clusters.getCluster({ cluster: `https://${name}` })],
  ...[false, true].map((write): [string, (name: string) => Promise<unknown>] => [
    `DeleteRepository of ${write ? 'write' : 'read'} credentials`,
    (name) =>
      bob.repositories.deleteRepository({
        repoUrl: `https://git.example.com/${name}`,
        project: 'web',
        write,
      }),
  ]),
  [
    'PreviewProject',
    (name) => {
      const metadata = { name: name === 'hidden' ? 'web' : name }
      return bob.projects.previewProject({ project: { metadata, spec: { sourceRepos: ['*'] } } })
    },
  ],
  ['GetProject', (name) => bob.projects.getProject({ name: name === 'hidden' ? 'web' : name })],
  ['DeleteProject', (name) => bob.projects.deleteProject({ name: name === 'hidden' ? 'web' : name })],
]

for (const [rpc, ask] of questions) {
  test(`${rpc} answers for a hidden thing as for none`, async () => {
    const hidden = await rejectionOf(ask('hidden'))
    const missing = await rejectionOf(ask('missing'))
    assert.ok(hidden !== undefined, 'it is refused')
    const other = rpc.endsWith('Project') ? 'web' : 'hidden'
    assert.equal(hidden.replaceAll(other, '·'), missing?.replaceAll('missing', '·'))
  })
}

test('branches and commits are not shown by way of an Application of another project', async () => {
  for (const ask of [
    () => bob.applications.listHistory({ name: 'hidden' }),
    () => bob.applications.getManifests({ name: 'hidden', hydratedRevision: 'environments/x' }),
  ]) {
    assert.equal(await rejectionOf(ask()), 'NotFound: applications.argoproj.io "hidden" not found')
  }
})
