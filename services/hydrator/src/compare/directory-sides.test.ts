import assert from 'node:assert/strict'
import { test } from 'node:test'
import { UnavailableError } from '@wadi/errors/domain-error.ts'
import { toConnectError } from '@wadi/rpc/error-mapping.ts'
import { type Peers, repoURL, startRunFixture } from '../run/run-fixture.ts'
import { heldSides } from './directory-sides.ts'

const { signal } = new AbortController()
const branch = { repoUrl: repoURL, branch: 'env/dev', project: '', position: { headSha: 'a'.repeat(40) } }
const paths = Array.from({ length: 40 }, (_, index) => `app-${index}`)

async function start(getDirectories: NonNullable<NonNullable<Peers['commitServer']>['getDirectories']>) {
  return startRunFixture({ commitServer: { getDirectories } })
}

test('directories of a branch are read some at a time, whatever the order in which they are asked for', async () => {
  const asked: string[][] = []
  await using fixture = await start(async function* (request) {
    asked.push(request.paths)
    for (const path of request.paths.toReversed())
      if (path !== 'app-7') yield { path, manifest: `apiVersion: v1\nkind: A\nmetadata:\n  name: ${path}\n` }
  })
  const sideOf = heldSides(fixture.context, branch, paths, signal)
  const names = await Promise.all(
    paths.toReversed().map(async (path) => (await sideOf(path))?.manifests.map(({ metadata }) => metadata)),
  )
  assert.deepEqual(
    names,
    paths.toReversed().map((name) => (name === 'app-7' ? undefined : [{ name }])),
  )
  assert.deepEqual(asked.flat().toSorted(), paths.toSorted())
  assert.equal(asked.length, 3)
  assert.equal(await sideOf('app-99'), undefined)
})

test('nothing is asked about a branch that is not there, and a failed read reaches whoever asks for what it is about', async () => {
  let calls = 0
  await using fixture = await start(async function* (request) {
    calls++
    if (request.paths.includes('app-20')) throw toConnectError(new UnavailableError('the remote is away'))
    for (const path of request.paths) yield { path, manifest: '' }
  })
  const none = heldSides(fixture.context, { ...branch, position: { headSha: '' } }, paths, signal)
  assert.deepEqual([await none('app-1'), calls], [undefined, 0])
  const sideOf = heldSides(fixture.context, branch, paths, signal)
  await assert.rejects(sideOf('app-20'), /the remote is away/)
  await assert.rejects(sideOf('app-21'), /the remote is away/)
  assert.deepEqual((await sideOf('app-1'))?.manifests, [])
})
