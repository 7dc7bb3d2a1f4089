import assert from 'node:assert/strict'
import { mkdtempDisposable } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { test } from 'node:test'
import { makeReadOnly, mountSmallDisk, noSmallDisk } from '@wadi/testing/small-disk.ts'
import { diskFindings, readDisks } from './disks.ts'

test('a disk that became read-only is an error', { skip: noSmallDisk }, async () => {
  await using owned = new AsyncDisposableStack()
  const directory = owned.use(await mkdtempDisposable(path.join(tmpdir(), 'wadi-disks-')))
  const disk = path.join(directory.path, 'data')
  await mountSmallDisk(owned, disk)
  const found = async () => {
    const findings = diskFindings('repo-server', await readDisks(disk))
    return findings
      .map(({ severity, message }) => `${severity} ${message}`)
      .filter((line) => line.includes(disk))
  }
  assert.deepEqual(await found(), [])
  {
    await using _ = await makeReadOnly(disk)
    assert.deepEqual(await found(), [`error repo-server: the file system of ${disk} is read-only`])
  }
  assert.deepEqual(await found(), [])
})
