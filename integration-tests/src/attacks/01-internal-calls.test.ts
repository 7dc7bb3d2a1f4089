import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import type { DescService } from '@bufbuild/protobuf'
import { ApplicationSetService } from '@wadi/protocol/gen/wadi/application_sets/v1/application_sets_pb.ts'
import { AppsetService } from '@wadi/protocol/gen/wadi/appset_service/v1/appset_service_pb.ts'
import { CommitServerService } from '@wadi/protocol/gen/wadi/commit_server/v1/commit_server_pb.ts'
import { HydratorService } from '@wadi/protocol/gen/wadi/hydrator/v1/hydrator_pb.ts'
import { RepoServerService } from '@wadi/protocol/gen/wadi/repo_server/v1/repo_server_pb.ts'
import { ConfigManagementPluginService } from '@wadi/protocol/gen/argocd/plugin/plugin_pb.ts'
import { createServiceIdentity } from '@wadi/rpc/service-identity.ts'
import { startProcessMesh } from '../process-mesh-fixture.ts'

const internal = {
  'repo-server': [RepoServerService],
  'commit-server': [CommitServerService],
  hydrator: [HydratorService],
  'appset-service': [AppsetService, ApplicationSetService],
  'cmp-server': [ConfigManagementPluginService],
} satisfies Record<string, DescService[]>

/** Returns the answer to a call of an internal method over the loopback interface, whichever kind it is. */
async function answerOf(url: string, isUnary: boolean, authorization: string): Promise<string> {
  const headers = {
    'content-type': isUnary ? 'application/json' : 'application/connect+json',
    ...(authorization && { authorization }),
  }
  const body = isUnary ? '{}' : Buffer.from([0, 0, 0, 0, 2, 0x7b, 0x7d])
  const answer = await fetch(url, { method: 'POST', headers, body })
  return answer.text()
}

test('no internal RPC answers who does not prove to be a service, over the loopback interface too', async () => {
  // Each service has a port of its own, whichever share a process.
  await using mesh = await startProcessMesh({
    together: ['cmp-server', 'repo-server', 'commit-server', 'hydrator', 'api-gateway'],
  })
  const anonymous = createServiceIdentity({ key: randomBytes(32), service: 'hydrator' })
  for (const [name, services] of Object.entries(internal)) {
    const [address] = mesh.addresses.get(name as keyof typeof internal) ?? []
    assert.ok(address)
    const tokens = ['', 'Bearer x', `Bearer ${await anonymous.token(name)}`]
    for (const method of services.flatMap((service) => service.methods)) {
      const url = `${address}/${method.parent.typeName}/${method.name}`
      for (const authorization of tokens) {
        const answer = await answerOf(url, method.methodKind === 'unary', authorization)
        assert.match(answer, /"code":"unauthenticated"/, `${method.name} of ${name} with ${authorization}`)
      }
    }
  }
})
