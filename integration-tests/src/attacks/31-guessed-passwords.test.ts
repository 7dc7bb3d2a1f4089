import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Code } from '@connectrpc/connect'
import { passwordOf, startUsersMesh } from '../access/users-fixture.ts'

test('guessing a password is slow for one account and its address, and shuts out nobody else', async () => {
  await using mesh = await startUsersMesh()
  const nobody = mesh.connect('')
  const session = await mesh.signIn('ann')
  for (let guess = 0; guess < 5; guess++) {
    await assert.rejects(nobody.sessions.create({ username: 'ann', password: `guess ${guess}` }))
  }
  // The right password gets the same answer as a wrong one now.
  await assert.rejects(nobody.sessions.create({ username: 'ann', password: passwordOf('ann') }))
  await mesh.connect(session).applications.listApplications({})
  await mesh.signIn('bob')
  await mesh.admin.applications.listApplications({})
  const codes = new Set<Code>()
  for (let guess = 0; guess < 60; guess++) {
    await nobody.sessions
      .create({ username: `stranger-${guess}`, password: 'guess' })
      .catch((error: unknown) => codes.add((error as { code: Code }).code))
  }
  assert.ok(codes.has(Code.ResourceExhausted))
  await mesh.admin.applications.listApplications({})
  await mesh.connect(session).applications.listApplications({})
})
