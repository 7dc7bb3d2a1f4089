import assert from 'node:assert/strict'
import { mkdir, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { temporaryDirectory } from '../testing/run-wadi-fixture.ts'
import { programIdentity } from './program-identity.ts'
import { programVersion } from './program-version.ts'

test('a checkout is another program when files of its libraries change, an installed program when its version does', async () => {
  await using directory = await temporaryDirectory()
  const sources = join(directory.path, 'libs/rendering/src/deep')
  await mkdir(sources, { recursive: true })
  await writeFile(join(sources, 'one.ts'), '')
  assert.equal(programIdentity(directory.path), programVersion)
  await writeFile(join(directory.path, '.git'), 'gitdir: elsewhere\n')
  const first = programIdentity(directory.path)
  assert.notEqual(first, programVersion)
  assert.equal(programIdentity(directory.path), first)
  await writeFile(join(sources, 'two.test.ts'), '')
  await utimes(sources, new Date(0), new Date(0))
  await utimes(join(sources, 'one.ts'), new Date(0), new Date(Date.now() + 60_000))
  assert.notEqual(programIdentity(directory.path), first)
})
