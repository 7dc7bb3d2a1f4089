import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fromBinary } from '@bufbuild/protobuf'
import { createClient, createRouterTransport, type Interceptor } from '@connectrpc/connect'
import { ApplicationSetCreateRequestSchema } from '@wadi/protocol/gen/argocd/applicationset/applicationset_pb.ts'
import { GetUserInfoRequestSchema, SessionService } from '@wadi/protocol/gen/argocd/session/session_pb.ts'
import { toConnectError } from '@wadi/rpc/error-mapping.ts'
import { refuseUnknownFields, requireKnownFields } from './wire-known-fields.ts'

function within(numbers: readonly number[], content: readonly number[]): number[] {
  return numbers.reduceRight<number[]>(
    (inner, number) => [(number << 3) | 2, inner.length, ...inner],
    [...content],
  )
}

/** Field 15 with the number 1, which no message here has. */
const unknown = [0x78, 1]
const places: [string, number[]][] = [
  ['ApplicationSetCreateRequest', unknown],
  ['ApplicationSet', within([1], unknown)],
  ['ObjectMeta', within([1, 1], unknown)],
  ['GitDirectoryGeneratorItem', within([1, 2, 2, 3, 2], unknown)],
  ['ApplicationSpec', within([1, 2, 3, 2], unknown)],
  // The parameters of a plugin are a map: entries have the value in their field 2.
  ['JSON', within([1, 2, 2, 10, 2, 1, 2], unknown)],
]
for (const [message, bytes] of places) {
  test(`a field that ${message} does not have is refused`, () => {
    const request = fromBinary(ApplicationSetCreateRequestSchema, Uint8Array.from(bytes))
    assert.throws(() => requireKnownFields(ApplicationSetCreateRequestSchema, request), {
      name: 'InvalidInputError',
      message: `unsupported field 15 in ${message}`,
    })
  })
}

test('a request of known fields passes', () => {
  const bytes = Uint8Array.from([...within([1, 2, 2, 3, 2, 1], [0x61]), 0x10, 1, 0x18, 1])
  const request = fromBinary(ApplicationSetCreateRequestSchema, bytes)
  requireKnownFields(ApplicationSetCreateRequestSchema, request)
  assert.deepEqual([request.upsert, request.dryRun], [true, true])
})

const withCodes: Interceptor = (next) => async (request) => {
  try {
    return await next(request)
  } catch (error) {
    throw toConnectError(error)
  }
}

test('a request that says what the server does not know reaches no handler, in any service', async () => {
  let calls = 0
  const transport = createRouterTransport(
    (router) =>
      router.service(SessionService, {
        getUserInfo: () => {
          calls++
          return {}
        },
      }),
    { router: { interceptors: [withCodes, refuseUnknownFields] } },
  )
  const client = createClient(SessionService, transport)
  await client.getUserInfo({})
  const newer = fromBinary(GetUserInfoRequestSchema, Uint8Array.from(unknown))
  await assert.rejects(client.getUserInfo(newer), /unsupported field 15 in GetUserInfoRequest/)
  assert.equal(calls, 1)
})
