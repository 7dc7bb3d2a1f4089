import assert from 'node:assert/strict'
import path from 'node:path'
import { test } from 'node:test'
import { createContextValues } from '@connectrpc/connect'
import { PermissionDeniedError } from '@wadi/errors/domain-error.ts'
import { ApplicationSetService } from '@wadi/protocol/gen/wadi/application_sets/v1/application_sets_pb.ts'
import { commonSettings } from './common-settings.ts'
import { temporaryDirectory } from './server-fixture.ts'
import { connectTo, openServiceBase, serve } from './service-base.ts'
import { endUserKey } from './service-identity.ts'
import { readSettings } from './service-settings.ts'

const forAnn = { contextValues: createContextValues().set(endUserKey, { subject: 'ann', groups: [] }) }

/** Starts a service that serves ApplicationSets, and returns how the call of another service for a user ends there. */
async function openCalls(directory: string, service: string) {
  const settings = readSettings(commonSettings, {
    env: {
      WADI_LISTEN: '127.0.0.1:0',
      WADI_DATA_DIR: directory,
      WADI_SERVICE_KEY_FILE: path.join(directory, 'service.key'),
      WADI_LOG_LEVEL: 'error',
    },
    argv: [],
  })
  const users: unknown[] = []
  const server = await serve(await openServiceBase(service, settings), {
    services: [ApplicationSetService],
    routes: (router) =>
      router.service(ApplicationSetService, {
        listApplicationSets: (_request, { values }) => {
          users.push(values.get(endUserKey))
          return {}
        },
      }),
    owned: new AsyncDisposableStack(),
  })
  const call = async (caller: string, options = {}) => {
    const base = await openServiceBase(caller, settings)
    await using client = await connectTo(base, ApplicationSetService, service, [server.address])
    await client.listApplicationSets({}, options)
  }
  return { call, users, [Symbol.asyncDispose]: () => server[Symbol.asyncDispose]() }
}

test('a call that is passed on is for the service that passes it on alone, which names an end user', async () => {
  await using directory = await temporaryDirectory()
  await using appset = await openCalls(directory.path, 'appset-service')
  await appset.call('api-gateway', forAnn)
  assert.deepEqual(appset.users, [{ subject: 'ann', groups: [] }])
  await assert.rejects(appset.call('api-gateway'), {
    name: PermissionDeniedError.name,
    message: /is called on behalf of an end user; api-gateway names none$/,
  })
  for (const other of ['hydrator', 'repo-server', 'appset-service']) {
    await assert.rejects(appset.call(other, forAnn), PermissionDeniedError)
  }
  assert.equal(appset.users.length, 1)
})

test('a call that is passed on to one service is for nobody at another', async () => {
  await using directory = await temporaryDirectory()
  await using repoServer = await openCalls(directory.path, 'repo-server')
  for (const caller of ['api-gateway', 'appset-service', 'hydrator']) {
    await assert.rejects(repoServer.call(caller, forAnn), PermissionDeniedError)
  }
  assert.deepEqual(repoServer.users, [])
})
