import assert from 'node:assert/strict'
import { test } from 'node:test'
import { branchKey } from '@wadi/hydration/branch-key.ts'
import { inCluster } from '@wadi/resources/cluster-secret.ts'
import { application, controlPlaneObject, repoURL, type RunFixture, startRunFixture } from '../run-fixture.ts'
import { validate } from './validate.ts'

/** Returns the gates of each directory of a branch. */
async function ruledDirectories(fixture: RunFixture, branch: string) {
  const begun = await fixture.run({ branch, key: branchKey(repoURL, branch) })
  const { directories } = await validate(fixture.context, begun)
  return [...directories.values()].flat().map(({ gates }) => gates)
}

test('a rule for gates of the deployed branch applies to what is staged for it', async () => {
  await using fixture = await startRunFixture()
  const rules = `
- {gate: secrets, severity: deny, branches: [env/prod]}
- {gate: schemas, severity: warn, branches: [env/prod-next]}
- {gate: policies, severity: deny, branches: [env/other]}
`
  const syncSource = { targetBranch: 'env/prod' }
  await fixture.add(
    controlPlaneObject('ConfigMap', 'argocd-cm', { data: { 'wadi.gates': rules } }),
    application('staged', { syncSource, hydrateTo: { targetBranch: 'env/prod-next' } }),
    application('direct', { syncSource }),
  )
  const gates = async (branch: string) => {
    const directories = await ruledDirectories(fixture, branch)
    return directories.flatMap((ruled) => ruled?.map(({ gate }) => gate))
  }
  assert.deepEqual(await gates('env/prod-next'), ['secrets', 'schemas'])
  assert.deepEqual(await gates('env/prod'), ['secrets'])
})

test('a rule for gates of a destination matches the name and the address of its cluster', async () => {
  await using fixture = await startRunFixture()
  const { server } = inCluster
  const rules = `
- {gate: secrets, severity: deny, destinations: [in-cluster]}
- {gate: schemas, severity: warn, destinations: ["${server}"], kubernetes: '1.33'}
- {gate: policies, severity: deny, destinations: [other]}
`
  await fixture.add(
    controlPlaneObject('ConfigMap', 'argocd-cm', { data: { 'wadi.gates': rules } }),
    application('by-name', { destination: { name: 'in-cluster' } }),
    application('by-address', { destination: { server: `${server}/` } }),
  )
  const directories = await ruledDirectories(fixture, 'env/dev')
  for (const ruled of directories)
    assert.deepEqual(
      ruled?.map(({ gate, kubernetes }) => [gate, kubernetes]),
      [
        ['secrets', '1.33'],
        ['schemas', '1.33'],
      ],
    )
  assert.equal(directories.length, 2)
})
