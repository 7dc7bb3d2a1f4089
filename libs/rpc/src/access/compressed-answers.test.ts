import assert from 'node:assert/strict'
import { test } from 'node:test'
import { AccountService } from '@wadi/protocol/gen/argocd/account/account_pb.ts'
import { SessionService } from '@wadi/protocol/gen/argocd/session/session_pb.ts'
import { ApplicationService } from '@wadi/protocol/gen/wadi/api_gateway/v1/application_service_pb.ts'
import { ProjectService } from '@wadi/protocol/gen/wadi/api_gateway/v1/project_service_pb.ts'
import { RepositoryService } from '@wadi/protocol/gen/wadi/api_gateway/v1/repository_service_pb.ts'
import { mayCompress } from './compressed-answers.ts'

test('lists may be compressed; what makes tokens, takes credentials or shows rendered objects may not', () => {
  const { method } = ApplicationService
  assert.equal(mayCompress(ApplicationService, method.listApplications), true)
  assert.equal(mayCompress(ApplicationService, method.getApplication), true)
  assert.equal(mayCompress(ApplicationService, method.watchApplicationSummaries), true)
  const refused = [
    [ApplicationService, method.getManifests],
    [ApplicationService, method.previewParameters],
    [ApplicationService, method.createApplication],
    [SessionService, SessionService.method.create],
    [SessionService, SessionService.method.getUserInfo],
    [AccountService, AccountService.method.createToken],
    [ProjectService, ProjectService.method.createProjectToken],
    [RepositoryService, RepositoryService.method.createRepository],
  ] as const
  for (const [service, rpc] of refused) assert.equal(mayCompress(service, rpc), false, rpc.name)
})
