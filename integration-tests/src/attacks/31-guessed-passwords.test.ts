import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Code, ConnectError } from '@connectrpc/connect'
import { passwordOf, startUsersMesh } from '../access/users-fixture.ts'

/** Returns the name of a guess: one without an account, or the account whose guesses are not compared any more, which takes no time. */
const guessed = (guess: number): string => (guess % 5 === 0 ? `outsider-${guess}` : 'ann')

/** More than an address may make in a minute, however long the comparisons take. */
const guessesAtOnce = 70

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
  const answers = await Promise.allSettled(
    Array.from({ length: guessesAtOnce }, async (_, index) =>
      nobody.sessions.create({ username: guessed(index), password: 'guess' }),
    ),
  )
  const errors = answers.map((answer) => {
    assert.ok(answer.status === 'rejected', 'a wrong password signs in')
    return ConnectError.from(answer.reason)
  })
  const refusals = errors.filter(({ code }) => code === Code.ResourceExhausted)
  assert.match(refusals.join('\n'), /address 127\.0\.0\.1 has made 600 calls in a minute/)
  await mesh.admin.applications.listApplications({})
  await mesh.connect(session).applications.listApplications({})
})
