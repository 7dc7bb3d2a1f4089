import assert from 'node:assert/strict'
import { test } from 'node:test'
import { outcomeText } from '@wadi/changes/report/report.ts'
import type { ApplicationChanges } from '@wadi/protocol/gen/wadi/changes/v1/changes_pb.ts'
import { type ApplicationFixture, applicationObject, configMap } from './application-fixture.ts'
import { meshOfFile } from './mesh-fixture.ts'
import { compareRevisions, objectsOf, propose } from './review-fixture.ts'

const mesh = await meshOfFile()
for (const name of ['shops', 'closed']) {
  await mesh.fixture.applyProject(name, { destinations: [{ server: '*', namespace: '*', name: '*' }] })
}

/** Hydrates an app of apps, `NAME-apps`, and the Applications that it makes, `NAME-one` and `NAME-two`. */
async function startAppOfApps(name: string) {
  const { fixture } = mesh
  const directories = { one: 'one/a.yaml', two: 'two/a.yaml' }
  const repository = await fixture.createRepository(name, {
    [directories.one]: configMap('a', '1') + `---\n${configMap('b', '1')}`,
    [directories.two]: configMap('c', '1'),
    'apps/one.yaml': '{}',
  })
  const branch = `environments/${name}`
  const application = (part: string): ApplicationFixture => ({
    name: `${name}-${part}`,
    repoURL: repository.url,
    path: part,
    syncPath: part,
    namespace: 'shop',
    branch,
  })
  const [one, two] = [application('one'), application('two')]
  const written = (...some: ApplicationFixture[]) =>
    JSON.stringify({ apiVersion: 'v1', kind: 'List', items: some.map(applicationObject) })
  const head = await repository.push({ 'apps/one.yaml': written(one, two) })
  const parent = { ...application('apps'), namespace: 'argocd' }
  await fixture.applyAndWait(head, parent, one, two)
  return {
    one,
    two,
    repository,
    /** Compares a revision with these Applications and other files, with each base. */
    compared: async (
      applications: ApplicationFixture[],
      files: Record<string, string | undefined>,
      check: (found: Awaited<ReturnType<typeof compareRevisions>>) => void,
    ) => {
      await propose(repository, 'refs/heads/feature', { 'apps/one.yaml': written(...applications), ...files })
      for (const base of ['main', '']) {
        check(await compareRevisions(fixture.gateway, { repoUrl: repository.url, revision: 'feature', base }))
      }
    },
  }
}

const textOf = (one: ApplicationChanges | undefined): string => (one ? outcomeText(one) : 'not there')
const counts = ({ summary }: Awaited<ReturnType<typeof compareRevisions>>): number[] => [
  summary.applications,
  summary.changed,
  summary.added,
  summary.removed,
  summary.failed,
  summary.unchanged,
]

test('an Application that an app of apps renames is one change that says what it was called', async () => {
  const { one, two, compared } = await startAppOfApps('renamed')
  await compared([{ ...one, name: 'renamed-first' }, two], {}, (found) => {
    assert.deepEqual(
      [...found.applications.keys()].toSorted((a, b) => a.localeCompare(b)),
      ['renamed-apps', 'renamed-first'],
    )
    assert.equal(textOf(found.applications.get('renamed-first')), 'changed, renamed from argocd/renamed-one')
    assert.deepEqual(objectsOf(found.applications.get('renamed-first')), [])
    assert.deepEqual(counts(found), [3, 2, 0, 0, 0, 1])
    assert.equal(found.summary.objectsRemoved + found.summary.objectsCreated, 0)
  })
})

test('with another name its directory may move and its objects change, and only what changes is shown', async () => {
  const { one, two, compared } = await startAppOfApps('moving')
  const next = { ...one, name: 'moving-first', syncPath: 'first' }
  const files = { 'one/a.yaml': configMap('a', '2') + `---\n${configMap('b', '1')}` }
  await compared([next, two], files, (found) => {
    const first = found.applications.get('moving-first')
    const moved = 'moved from one on branch environments/moving'
    assert.equal(textOf(first), `changed, renamed from argocd/moving-one, ${moved}`)
    assert.deepEqual(objectsOf(first), ['changed ConfigMap a'])
    assert.deepEqual(counts(found), [3, 2, 0, 0, 0, 1])
  })
})

test('another project and another destination of an Application are changes, as are other fields of its source', async () => {
  const { one, two, repository, compared } = await startAppOfApps('other')
  await compared(
    [
      { ...one, project: 'shops' },
      { ...two, namespace: 'shop2' },
    ],
    {},
    (found) => {
      assert.equal(textOf(found.applications.get('other-one')), 'changed, project shops (was default)')
      assert.equal(
        textOf(found.applications.get('other-two')),
        'changed, destination https://kubernetes.default.svc namespace shop2 (was https://kubernetes.default.svc namespace shop)',
      )
      assert.deepEqual(counts(found), [3, 3, 0, 0, 0, 0])
    },
  )
  await compared([{ ...one, path: 'two', syncPath: 'one' }, two], {}, (found) => {
    assert.deepEqual(objectsOf(found.applications.get('other-one')), [
      'removed ConfigMap b',
      'renamed ConfigMap c',
    ])
    assert.deepEqual(counts(found), [3, 2, 0, 0, 0, 1])
  })
  const elsewhere = {
    ...one,
    repoURL: repository.url.replace('other', 'secrets'),
    destination: repository.url,
  }
  await compared([elsewhere, two], {}, (found) => {
    const { outcome, objects, warnings } = found.applications.get('other-one') ?? assert.fail()
    assert.deepEqual([outcome, objects], ['changed', []])
    assert.match(
      warnings.join(),
      /^what it would be hydrated to is not compared, as it does not read .*secrets/,
    )
  })
})

test('an Application that goes with its files is removed, and one that stays without them has failed', async () => {
  const { one, two, compared } = await startAppOfApps('gone')
  const files = { 'one/a.yaml': undefined }
  await compared([two], files, (found) => {
    const gone = found.applications.get('gone-one')
    assert.equal(textOf(gone), 'removed')
    assert.deepEqual(objectsOf(gone), ['removed ConfigMap a', 'removed ConfigMap b'])
    assert.match(gone?.warnings.join() ?? '', /^until it is deleted it cannot be hydrated: /)
    assert.deepEqual(counts(found), [3, 1, 0, 1, 0, 1])
  })
  await compared([one, two], files, (found) => {
    assert.equal(textOf(found.applications.get('gone-one')), 'failed')
    assert.deepEqual(counts(found), [3, 0, 0, 0, 1, 2])
  })
})

test('a new Application is named where it may be what another one became, and not compared', async () => {
  const { one, two, compared } = await startAppOfApps('added')
  const next = { ...two, name: 'added-three', path: 'three', syncPath: 'three', namespace: 'three' }
  const files = { 'three/a.yaml': configMap('d', '1') }
  await compared([one, two, next], files, (found) => {
    assert.deepEqual(found.applications.get('added-apps')?.warnings, [])
    assert.deepEqual(counts(found), [3, 1, 0, 0, 0, 2])
  })
  await compared([one, next], files, (found) => {
    assert.deepEqual(found.applications.get('added-apps')?.warnings, [
      'what new Applications would be hydrated to is not compared: argocd/added-three',
    ])
    assert.deepEqual(counts(found), [3, 1, 0, 1, 0, 1])
  })
})
