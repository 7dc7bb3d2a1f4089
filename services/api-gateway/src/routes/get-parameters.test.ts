import assert from 'node:assert/strict'
import { test } from 'node:test'
import { create } from '@bufbuild/protobuf'
import { GetParametersRequestSchema } from '@wadi/protocol/gen/wadi/api_gateway/v1/application_service_pb.ts'
import {
  GetParametersResponseSchema,
  ParameterSchema,
} from '@wadi/protocol/gen/wadi/parameters/v1/parameters_pb.ts'
import {
  SourceSchema,
  SourceVerificationSchema,
} from '@wadi/protocol/gen/wadi/repo_server/v1/repo_server_pb.ts'
import { callContext, openGatewayFixture, repoURL, sampleApplication } from '../gateway-fixture.ts'
import { getParameters } from './get-parameters.ts'

const drySha = 'd'.repeat(40)

test('parameters are described at the newest commit of the asked revision, else of that of the Application', async () => {
  const described = {
    renderer: 'plugin',
    plugin: 'lisp',
    parameters: [create(ParameterSchema, { name: 'replicas', type: 'number', announced: true })],
    warnings: ['plugin options are not in git'],
  }
  await using fixture = await openGatewayFixture({
    repoServer: {
      resolveRevisions: () => ({ revisions: [{ sha: drySha }] }),
      getParameters: ({ sha }) => ({ ...described, drySha: sha }),
    },
  })
  await fixture.context.store.create(sampleApplication('web'))
  const get = (dryRevision: string) =>
    getParameters(fixture.context)(
      create(GetParametersRequestSchema, { name: 'web', dryRevision }),
      callContext(),
    )
  const answer = create(GetParametersResponseSchema, { ...described, drySha })
  assert.deepEqual(await get(''), answer)
  assert.deepEqual(await get('v2'), answer)
  const source = create(SourceSchema, {
    path: 'apps/web',
    targetRevision: 'main',
    destinationNamespace: 'shop',
    applicationName: 'web',
    instanceName: 'web',
    projectName: 'default',
  })
  const describe = (revision: string) => ({
    repoUrl: repoURL,
    project: 'default',
    sha: drySha,
    source,
    verification: create(SourceVerificationSchema, { revision }),
    referenced: [],
    explain: false,
  })
  const resolve = {
    repoUrl: repoURL,
    project: 'default',
    refresh: true,
    branches: [],
    probe: false,
    announced: [],
    chart: '',
    held: [],
    moveRanges: false,
    atOnce: false,
  }
  assert.deepEqual(fixture.requests, [
    { ...resolve, revisions: ['main'] },
    describe('main'),
    { ...resolve, revisions: ['v2'] },
    describe('v2'),
  ])
})

test('a revision that does not exist and an Application without a dry source are reported', async () => {
  await using fixture = await openGatewayFixture({
    repoServer: { resolveRevisions: () => ({ revisions: [{ error: 'revision "v9" does not exist' }] }) },
  })
  const { store } = fixture.context
  await store.create(sampleApplication('web'))
  await store.create({ ...sampleApplication('plain'), spec: { destination: {} } })
  const get = (name: string) =>
    getParameters(fixture.context)(create(GetParametersRequestSchema, { name }), callContext())
  await assert.rejects(get('web'), { name: 'NotFoundError', message: 'revision "v9" does not exist' })
  await assert.rejects(get('plain'), { name: 'FailedPreconditionError' })
  await assert.rejects(get('nobody'), { name: 'NotFoundError' })
})
