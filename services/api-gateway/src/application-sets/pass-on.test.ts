import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { create, type DescMessage, type Message, type MessageShape } from '@bufbuild/protobuf'
import type { HandlerContext } from '@connectrpc/connect'
import {
  type DomainError,
  FailedPreconditionError,
  InvalidInputError,
  ResourceExhaustedError,
  UnavailableError,
} from '@wadi/errors/domain-error.ts'
import {
  ApplicationSetService,
  GenerateApplicationsRequestSchema,
} from '@wadi/protocol/gen/wadi/application_sets/v1/application_sets_pb.ts'
import { createServiceClient } from '@wadi/rpc/create-client.ts'
import { createServiceIdentity } from '@wadi/rpc/service-identity.ts'
import type { GatewayContext } from '../context.ts'
import { callContext, openGatewayFixture } from '../gateway-fixture.ts'
import { applicationSetRoutes } from '../routes/application-sets.ts'

const applicationSet = { kind: 'ApplicationSet', metadata: { name: 'set' } }

async function generate(context: Pick<GatewayContext, 'applicationSets'>) {
  const request = create(GenerateApplicationsRequestSchema, { applicationSet })
  return applicationSetRoutes(context, new AbortController().signal).generateApplications(
    request,
    callContext(),
  )
}

test('an ApplicationSet goes to appset-service as it came, and the Applications come back in order', async () => {
  const applications = [{ metadata: { name: 'b' } }, { metadata: { name: 'a' } }]
  await using fixture = await openGatewayFixture({
    applicationSets: { generateApplications: () => ({ applications }) },
  })
  assert.deepEqual((await generate(fixture.context)).applications, applications)
  assert.deepEqual(fixture.requests, [{ applicationSet }])
})

/** A message with a field that only another version of the contract has. */
function withNewField<Desc extends DescMessage>(schema: Desc): MessageShape<Desc> {
  const message = create(schema)
  message.$unknown = [{ no: 100, wireType: 2, data: Buffer.from([3, ...Buffer.from('new')]) }]
  return message
}

function newField({ $unknown }: Message): string {
  return Buffer.from($unknown?.[0]?.data ?? [])
    .subarray(1)
    .toString()
}

type AnyCall = (request: Message, context: HandlerContext) => Promise<Message> | AsyncIterable<Message>

for (const method of ApplicationSetService.methods) {
  test(`a field that the gateway does not know passes through ${method.name} both ways`, async () => {
    const received: string[] = []
    const answer = (request: Message) => {
      received.push(newField(request))
      return withNewField(method.output)
    }
    async function* stream(request: Message) {
      yield answer(request)
    }
    const isStream = method.methodKind === 'server_streaming'
    const peer = { [method.localName]: isStream ? stream : answer }
    await using fixture = await openGatewayFixture({
      applicationSets: peer,
    })
    const routes = applicationSetRoutes(fixture.context, new AbortController().signal)
    const call = routes[method.localName as keyof typeof routes] as unknown as AnyCall
    const result = call(withNewField(method.input), callContext())
    const given = Symbol.asyncIterator in result ? await Array.fromAsync(result) : [await result]
    assert.deepEqual([received, given.map(newField)], [['new'], ['new']])
  })
}

const failures: DomainError[] = [
  new InvalidInputError('spec.generators[0] names no generator'),
  new FailedPreconditionError('https://git.example.com/r.git: revision "x" does not exist'),
  new ResourceExhaustedError('more than 10000 Applications'),
  new UnavailableError('repo-server is not available now'),
]
for (const failure of failures) {
  test(`what appset-service answers with ${failure.name} stays as it is`, async () => {
    await using fixture = await openGatewayFixture({
      applicationSets: {
        generateApplications: () => {
          throw failure
        },
      },
    })
    await assert.rejects(generate(fixture.context), { name: failure.name, message: failure.message })
  })
}

test('an appset-service that nobody started is reported as missing', async () => {
  await using applicationSets = await createServiceClient(ApplicationSetService, {
    endpoints: ['unix:/nonexistent/appset-service.sock'],
    identity: createServiceIdentity({ key: randomBytes(32), service: 'api-gateway' }),
    audience: 'appset-service',
  })
  await assert.rejects(generate({ applicationSets }), {
    name: 'FailedPreconditionError',
    message: /^ApplicationSets are not available: appset-service is not installed or not running; /,
  })
})
