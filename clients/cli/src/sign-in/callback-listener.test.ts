import assert from 'node:assert/strict'
import { test } from 'node:test'
import { listenForCallback } from './callback-listener.ts'

test('only the state of the sign-in is taken, once, and nobody is sent elsewhere', async () => {
  await using listener = await listenForCallback(0, 'the state')
  const get = (query: string) =>
    fetch(`${listener.redirectAddress.replace('localhost', '127.0.0.1')}${query}`, { redirect: 'manual' })
  for (const query of ['', '?code=x', '?code=x&state=', '?code=x&state=other', '?code=x&state=the%20stat']) {
    assert.equal((await get(query)).status, 400, query)
  }
  const taken = await get(
    '?code=first&state=the%20state&redirectTo=https://evil.example&return_url=//evil.example',
  )
  assert.equal(taken.status, 200)
  assert.equal(taken.headers.get('location'), null)
  assert.doesNotMatch(await taken.text(), /evil/)
  await get('?code=second&state=the%20state')
  assert.equal((await listener.callback).searchParams.get('code'), 'first')
})
