import assert from 'node:assert/strict'
import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { test } from 'node:test'
import { startKubernetesApi } from '@wadi/testing/kubernetes-api/kubernetes-api.ts'
import { KubernetesClient } from '@wadi/kubernetes/client/kubernetes-client.ts'
import { temporaryDirectory } from '../server-fixture.ts'
import { createAccountIdentity } from './account-identity.ts'
import { AccountKeys } from './account-keys.ts'
import { findAccountTokens } from './account-tokens.ts'
import { ServiceAccounts } from './service-accounts.ts'

const hydrator = { namespace: 'wadi', account: 'wadi-hydrator', audience: 'wadi-repo-server' }
const caller = { service: 'hydrator', proof: 'account' }

/** A repo-server whose clock for reading keys is the test's. */
async function openVerifier() {
  await using owned = new AsyncDisposableStack()
  const api = owned.use(await startKubernetesApi())
  const { accounts } = api
  const clock = { now: 0, readings: 0 }
  const client = owned.use(new KubernetesClient(api.config))
  const read = async () => {
    clock.readings++
    return client.accountIssuer()
  }
  const identity = createAccountIdentity({
    service: 'repo-server',
    tokens: () => undefined,
    accounts: ServiceAccounts.read([], 'wadi'),
    keys: new AccountKeys(read, () => clock.now),
  })
  const moved = owned.move()
  return { api, accounts, clock, identity, [Symbol.asyncDispose]: () => moved.disposeAsync() }
}

for (const [what, claims, reason] of [
  [
    'begins in an hour',
    { startsIn: 3_600 },
    /the clock of its issuer is 3[56]\d\d s or more ahead .*set both clocks$/,
  ],
  ['ended an hour ago', { startsIn: -4_200 }, /it expired 3[56]\d\d s ago by the clock of this machine$/],
  ['is of another cluster', { issuer: 'https://other' }, /unexpected "iss" claim value$/],
] as const) {
  test(`a token that ${what} is refused with the reason`, async () => {
    await using verifier = await openVerifier()
    const token = verifier.accounts.token({ ...hydrator, ...claims })
    await assert.rejects(verifier.identity.verifyToken(token), {
      name: 'UnauthenticatedError',
      message: reason,
    })
  })
}

test('a clock that is half a minute off does not matter', async () => {
  await using verifier = await openVerifier()
  const token = verifier.accounts.token({ ...hydrator, startsIn: 30 })
  assert.deepEqual(await verifier.identity.verifyToken(token), caller)
})

test('new keys of the cluster are read for a token of theirs, and unknown keys do not cause a reading each', async () => {
  await using verifier = await openVerifier()
  const { accounts, clock, identity } = verifier
  await identity.verifyToken(accounts.token(hydrator))
  assert.equal(clock.readings, 1)
  accounts.changeKey()
  const next = accounts.token(hydrator)
  await assert.rejects(identity.verifyToken(next), { name: 'UnauthenticatedError' })
  assert.equal(clock.readings, 1)
  clock.now += 11_000
  assert.deepEqual(await identity.verifyToken(next), caller)
  assert.equal(clock.readings, 2)
})

test('while keys cannot be read, a token of unknown ones is not rejected for good', async () => {
  await using verifier = await openVerifier()
  const { api, accounts, clock, identity } = verifier
  await identity.verifyToken(accounts.token(hydrator))
  accounts.changeKey()
  clock.now += 11_000
  api.relay.refuse()
  await assert.rejects(identity.verifyToken(accounts.token(hydrator)), { name: 'UnavailableError' })
})

test('tokens are the files of a directory, by the services that they are for', async () => {
  await using directory = await temporaryDirectory()
  await writeFile(path.join(directory.path, 'repo-server'), 'first\n')
  await writeFile(path.join(directory.path, '..data'), 'x')
  const tokens = await findAccountTokens(directory.path)
  assert.equal(await tokens('repo-server')?.(), 'first')
  assert.equal(tokens('..data'), undefined)
  const none = await findAccountTokens(path.join(directory.path, 'none'))
  assert.equal(none('repo-server'), undefined)
})

test('accounts are named in the setting, or after the services', () => {
  const subject = 'system:serviceaccount:team:hydrator'
  assert.equal(ServiceAccounts.read(['team/hydrator=hydrator'], 'wadi').serviceOf(subject), 'hydrator')
  const usual = ServiceAccounts.read([], 'wadi')
  assert.equal(usual.serviceOf('system:serviceaccount:wadi:wadi-commit-server'), 'commit-server')
  assert.throws(() => usual.serviceOf(subject), { name: 'PermissionDeniedError' })
  assert.throws(() => usual.serviceOf('admin'), /"admin", which is not a ServiceAccount/)
  assert.throws(() => ServiceAccounts.read(['hydrator'], 'wadi'), /must be namespace\/account=service/)
  assert.throws(
    () => ServiceAccounts.read(['a/b=hydrater'], 'wadi'),
    /unknown service hydrater; expected one of /,
  )
})
