import assert from 'node:assert/strict'
import { test } from 'node:test'
import { outcomeText } from '@wadi/changes/report/report.ts'
import { type ApplicationFixture, applicationObject, configMap } from './application-fixture.ts'
import { meshOfFile } from './mesh-fixture.ts'
import { compareRevisions, objectsOf, propose } from './review-fixture.ts'

const mesh = await meshOfFile()

const written = (...some: ApplicationFixture[]): string =>
  some.map((one) => JSON.stringify(applicationObject(one))).join('\n---\n')

test('Applications that are in files of the dry repository are compared as these would have them', async () => {
  const { fixture } = mesh
  const repository = await fixture.createRepository('written', {
    'one/a.yaml': configMap('a', '1'),
    'two/a.yaml': configMap('b', '1'),
    'template/app.yaml': 'kind: Application\nname: {{ .Values.name }}\n',
  })
  const application = (path: string): ApplicationFixture => ({
    name: `written-${path}`,
    repoURL: repository.url,
    path,
    syncPath: path,
    namespace: 'shop',
    branch: 'environments/written',
  })
  const [one, two] = [application('one'), application('two')]
  const head = await repository.push({ 'deploy/applications.yaml': written(one, two) })
  await fixture.applyAndWait(head, one, two)
  const compared = async (files: Record<string, string | undefined>) => {
    await propose(repository, 'refs/heads/feature', files)
    const found = []
    for (const base of ['main', '']) {
      const request = { repoUrl: repository.url, revision: 'feature', base }
      const { applications, summary } = await compareRevisions(fixture.gateway, request)
      const { changed, removed, failed, unchanged, messages } = summary
      assert.deepEqual(messages, [])
      found.push({
        said: [...applications.values()].map((each) => `${each.name}: ${outcomeText(each)}`),
        objects: [...applications.values()].flatMap(objectsOf),
        counts: { changed, removed, failed, unchanged },
      })
    }
    assert.deepEqual(found[1], found[0])
    return found[0]
  }
  const none = { changed: 0, removed: 0, failed: 0, unchanged: 0 }
  const renamed = written({ ...one, name: 'written-first' }, two)
  assert.deepEqual(await compared({ 'deploy/applications.yaml': renamed }), {
    said: ['written-first: changed, renamed from argocd/written-one'],
    objects: [],
    counts: { ...none, changed: 1, unchanged: 1 },
  })
  // Another file may have them then, and another directory the manifests.
  const moved = {
    'deploy/applications.yaml': written({ ...one, path: 'first' }),
    'deploy/two.yaml': written({ ...two, project: 'closed' }),
    'one/a.yaml': undefined,
    'first/a.yaml': configMap('a', '2'),
    'template/app.yaml': 'kind: Application\nname: {{ .Values.other }}\n',
  }
  assert.deepEqual(await compared(moved), {
    said: ['written-one: changed', 'written-two: changed, project closed (was default)'],
    objects: ['changed ConfigMap a'],
    counts: { ...none, changed: 2 },
  })
  assert.deepEqual(await compared({ 'deploy/applications.yaml': written(two), 'one/a.yaml': undefined }), {
    said: ['written-one: removed'],
    objects: ['removed ConfigMap a'],
    counts: { ...none, removed: 1, unchanged: 1 },
  })
  // The stored one differs from the file: the file is not where it comes from.
  await fixture.apply({ ...one, namespace: 'other' })
  assert.deepEqual((await compared({ 'deploy/applications.yaml': renamed }))?.said, [])
})
