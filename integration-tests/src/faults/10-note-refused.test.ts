import assert from 'node:assert/strict'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { configMap } from '../application-fixture.ts'
import { meshOfFile } from '../mesh-fixture.ts'

const mesh = await meshOfFile()

const refuseNotes =
  '#!/bin/sh\ncase "$1" in refs/notes/*) [ -e open ] || { echo "no notes today" >&2; exit 1; };; esac\n'

test('a branch that moved without its note gets the note with the next run, and no second commit', async () => {
  const { fixture } = mesh
  const config = { 'receive.advertiseAtomic': 'false' }
  const repository = await fixture.createRepository(
    'notes',
    { 'notes/a.yaml': configMap('a', '1') },
    { config },
  )
  await writeFile(join(repository.directory, 'hooks/update'), refuseNotes, { mode: 0o755 })
  const branch = 'environments/notes'
  const drySha = await repository.dry.head()
  const message = await fixture.applyAndFail({ name: 'notes', repoURL: repository.url, branch })
  assert.match(message, /no notes today|hook declined/)
  const [head] = await repository.commits(branch)
  await writeFile(join(repository.directory, 'open'), '')
  await fixture.hydrateTo(drySha, 'notes')
  assert.deepEqual(await repository.commits(branch), [head])
  assert.deepEqual(JSON.parse(await repository.note(branch)), { drySha })
})
