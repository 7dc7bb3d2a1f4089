import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { create } from '@bufbuild/protobuf'
import {
  type DomainError,
  FailedPreconditionError,
  InvalidInputError,
  ResourceExhaustedError,
  UnavailableError,
} from '@wadi/errors/domain-error.ts'
import { GenerateApplicationsRequestSchema } from '@wadi/protocol/gen/wadi/api_gateway/v1/application_set_service_pb.ts'
import { AppsetService } from '@wadi/protocol/gen/wadi/appset_service/v1/appset_service_pb.ts'
import { createServiceClient } from '@wadi/rpc/create-client.ts'
import { createServiceIdentity } from '@wadi/rpc/service-identity.ts'
import type { GatewayContext } from '../context.ts'
import { callContext, openGatewayFixture } from '../gateway-fixture.ts'
import { applicationSetRoutes } from './application-sets.ts'

const applicationSet = { kind: 'ApplicationSet', metadata: { name: 'set' } }

async function generate(context: Pick<GatewayContext, 'appsetService'>) {
  const request = create(GenerateApplicationsRequestSchema, { applicationSet })
  return applicationSetRoutes(context, new AbortController().signal).generateApplications(
    request,
    callContext(),
  )
}

test('an ApplicationSet goes to appset-service as it came, and the Applications come back in order', async () => {
  const applications = [{ metadata: { name: 'b' } }, { metadata: { name: 'a' } }]
  await using fixture = await openGatewayFixture({
    appsetService: { generateApplications: () => ({ applications }) },
  })
  assert.deepEqual(await generate(fixture.context), { applications })
  assert.deepEqual(fixture.requests, [{ applicationSet }])
})

const failures: DomainError[] = [
  new InvalidInputError('spec.generators[0] names no generator'),
  new FailedPreconditionError('https://git.example.com/r.git: revision "x" does not exist'),
  new ResourceExhaustedError('more than 10000 Applications'),
  new UnavailableError('repo-server is not available now'),
]
for (const failure of failures) {
  test(`what appset-service answers with ${failure.name} stays as it is`, async () => {
    await using fixture = await openGatewayFixture({
      appsetService: {
        generateApplications: () => {
          throw failure
        },
      },
    })
    await assert.rejects(generate(fixture.context), { name: failure.name, message: failure.message })
  })
}

test('an appset-service that nobody started is told as missing', async () => {
  await using appsetService = await createServiceClient(AppsetService, {
    endpoints: ['unix:/nonexistent/appset-service.sock'],
    identity: createServiceIdentity({ key: randomBytes(32), service: 'api-gateway' }),
    audience: 'appset-service',
  })
  await assert.rejects(generate({ appsetService }), {
    name: 'FailedPreconditionError',
    message: /^ApplicationSets are not available: appset-service is not installed or not running; /,
  })
})
