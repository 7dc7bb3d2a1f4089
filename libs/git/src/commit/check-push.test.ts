import assert from 'node:assert/strict'
import path from 'node:path'
import { test } from 'node:test'
import { NotFoundError, PermissionDeniedError } from '@wadi/errors/domain-error.ts'
import { startGitHttpServer } from '@wadi/testing/git-http-server.ts'
import { sshServerAvailable, startGitSshServer } from '@wadi/testing/git-ssh-server.ts'
import { openTestMirror } from '../mirror/mirror-fixture.ts'
import { httpClients } from '../smart-http/http-fixture.ts'
import { checkPush } from './check-push.ts'

for (const client of httpClients) {
  test(`with ${client}, a server is asked whether it takes pushes, and gets none`, async () => {
    await using server = await startGitHttpServer({
      users: { bot: 's3cret', reader: 's3cret' },
      onRequest: ({ user, service }) =>
        user === 'reader' && service === 'git-receive-pack' ? 403 : undefined,
    })
    const { url } = await server.createRepository('a.git')
    const mirrorOf = (username: string, password = 's3cret') =>
      openTestMirror(
        path.join(server.root, `mirror-${username}-${password}`),
        url,
        { username, password },
        client,
      )
    await using writer = await mirrorOf('bot')
    await checkPush(writer)
    await using reader = await mirrorOf('reader')
    await assert.rejects(checkPush(reader), PermissionDeniedError)
    await using unknown = await mirrorOf('bot', 'wrong')
    await assert.rejects(checkPush(unknown), PermissionDeniedError)
    assert.deepEqual(
      server.requests.filter(({ method }) => method !== 'GET'),
      [],
    )
    assert.deepEqual([...(await writer.listRemote()).refs], [])
  })
}

test(
  'a server behind ssh is asked in the same way',
  { skip: sshServerAvailable() ? false : 'no sshd on this machine' },
  async () => {
    await using server = await startGitSshServer()
    const { url } = await server.createRepository('a.git')
    const credentials = { sshPrivateKey: server.privateKey, sshKnownHosts: server.knownHosts }
    await using mirror = await openTestMirror(path.join(server.root, 'mirror'), url, credentials)
    await checkPush(mirror)
    assert.deepEqual([...(await mirror.listRemote()).refs], [])
    await using absent = await openTestMirror(path.join(server.root, 'absent'), `${url}-absent`, credentials)
    await assert.rejects(checkPush(absent), NotFoundError)
  },
)
