import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createContextValues } from '@connectrpc/connect'
import { handlerContext } from '@wadi/testing/handler-context.ts'
import { InvalidInputError, UnauthenticatedError, UnavailableError } from '@wadi/errors/domain-error.ts'
import { ProjectService } from '@wadi/protocol/gen/wadi/api_gateway/v1/project_service_pb.ts'
import { createLogger } from '@wadi/telemetry/logger.ts'
import { SessionService } from '@wadi/protocol/gen/argocd/session/session_pb.ts'
import { createCallLimits } from '../limits/call-limits.ts'
import { admitCalls } from './admit-calls.ts'
import { administrator, callerKey } from './caller.ts'

const logger = createLogger({ service: 'test', level: 'info', format: 'json', write: () => undefined })

for (const failure of [
  new UnauthenticatedError('invalid session'),
  new UnavailableError('the OpenID provider does not answer'),
  new InvalidInputError('the token cannot be read'),
]) {
  test(`a call is limited by its address when its token fails with ${failure.name}`, async () => {
    const admit = admitCalls(
      () => Promise.reject(failure),
      createCallLimits({ perAccount: 0, perAddress: 1 }),
      logger,
    )
    const call = () =>
      admit(handlerContext(ProjectService.method.listProjects, { contextValues: createContextValues() }))
    await assert.rejects(call(), failure)
    await assert.rejects(call(), { name: 'ResourceExhaustedError' })
  })
}

test('an attempt to sign in is limited by its address though somebody is signed in', async () => {
  const admit = admitCalls(
    async ({ values }) => {
      values.set(callerKey, administrator)
    },
    createCallLimits({ perAccount: 0, perAddress: 10 }),
    logger,
  )
  const call = () =>
    admit(handlerContext(SessionService.method.create, { contextValues: createContextValues() }))
  await call()
  await assert.rejects(call(), { name: 'ResourceExhaustedError' })
})
