import assert from 'node:assert/strict'
import { test } from 'node:test'
import { configMap } from '../application-fixture.ts'
import { meshOfFile } from '../mesh-fixture.ts'

const mesh = await meshOfFile()

// The parent of the hook is git receive-pack, which has moved the refs by then and has answered nothing.
const cutOnce = '#!/bin/sh\n[ -e cut ] || { : > cut; kill -9 $PPID; }\n'

test('a push that is taken although the connection breaks is recognised, and is not made twice', async () => {
  const { fixture } = mesh
  const repository = await fixture.createRepository('cut', { 'cut/a.yaml': configMap('a', '1') })
  await repository.setHook('post-receive', cutOnce)
  const branch = 'environments/cut'
  const drySha = await repository.dry.head()
  await fixture.applyAndWait(drySha, { name: 'cut', repoURL: repository.url, branch })
  assert.equal((await repository.commits(branch)).length, 1)
  assert.deepEqual(JSON.parse(await repository.note(branch)), { drySha })
})
