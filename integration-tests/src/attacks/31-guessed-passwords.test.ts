import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Code, type ConnectError } from '@connectrpc/connect'
import { passwordOf, startUsersMesh } from '../access/users-fixture.ts'

/** Fewer than the gateway checks together, so that the limit of the address alone rejects guesses. */
const guessesAtOnce = 20

test('guessing a password is slow for one account and its address, and shuts out nobody else', async () => {
  await using mesh = await startUsersMesh()
  const nobody = mesh.connect('')
  const session = await mesh.signIn('ann')
  await Promise.all(
    Array.from({ length: 5 }, async (_, guess) =>
      assert.rejects(nobody.sessions.create({ username: 'ann', password: `guess ${guess}` })),
    ),
  )
  // The right password gets the same answer as a wrong one now.
  await assert.rejects(nobody.sessions.create({ username: 'ann', password: passwordOf('ann') }))
  await mesh.connect(session).applications.listApplications({})
  await mesh.signIn('bob')
  await mesh.admin.applications.listApplications({})
  const answers: ConnectError[] = []
  for (let first = 0; first < 60; first += guessesAtOnce) {
    const guesses = Array.from({ length: guessesAtOnce }, async (_, index) => {
      const guess = { username: `stranger-${first + index}`, password: 'guess' }
      await assert.rejects(nobody.sessions.create(guess), (error: ConnectError) => answers.push(error) > 0)
    })
    await Promise.all(guesses)
  }
  const refusals = answers.filter(({ code }) => code === Code.ResourceExhausted)
  assert.match(refusals[0]?.message ?? '', /address 127\.0\.0\.1 has made 600 calls in a minute/)
  await mesh.admin.applications.listApplications({})
  await mesh.connect(session).applications.listApplications({})
})
