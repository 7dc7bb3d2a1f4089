import type { JsonObject } from '@bufbuild/protobuf'
import { Code, ConnectError, type ServiceImpl } from '@connectrpc/connect'
import { textAt } from '@wadi/fields/json-fields.ts'
import type { ResourceService } from '@wadi/protocol/gen/wadi/api_gateway/v1/resource_service_pb.ts'

/** ResourceService that adds what is applied to a list, and refuses an object of that name. */
export function resourceService(applied: JsonObject[]): ServiceImpl<typeof ResourceService> {
  return {
    applyResource: ({ resource = {}, dryRun }) => {
      if (textAt(resource, 'metadata', 'name') === 'refused') {
        throw new ConnectError('the project forbids it', Code.PermissionDenied)
      }
      if (!dryRun) applied.push(resource)
      return { resource, outcome: 'created' }
    },
  }
}
