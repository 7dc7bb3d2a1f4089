import assert from 'node:assert/strict'
import { test } from 'node:test'
import { rejectionOf } from '../application-sets/set-fixture.ts'
import { passwordOf, usersMeshOfFile } from './users-fixture.ts'

const mesh = await usersMeshOfFile()

test('users see their own account', async () => {
  const ann = await mesh.connectAs('ann')
  assert.equal((await ann.accounts.getAccount({ name: 'ann' })).name, 'ann')
})

test('users revoke their own API keys', async () => {
  const { token } = await mesh.admin.accounts.createToken({ name: 'ann', id: 'key' })
  await mesh.connect(token).accounts.deleteToken({ name: 'ann', id: 'key' })
  assert.match((await rejectionOf(mesh.connect(token).accounts.listAccounts({}))) ?? '', /it was revoked$/)
})

test('users change their own password', async () => {
  const session = await mesh.signIn('bob')
  const change = { name: 'bob', newPassword: 'another password', currentPassword: passwordOf('bob') }
  await mesh.connect(session).accounts.updatePassword(change)
  await mesh.signIn('bob', change.newPassword)
})

test('the operator gives the account admin a password', async () => {
  await mesh.admin.accounts.updatePassword({ name: 'admin', newPassword: passwordOf('admin') })
  await mesh.signIn('admin')
})
