import type { DescMessage, MessageShape } from '@bufbuild/protobuf'
import { isReflectMessage, reflect, type ReflectMessage } from '@bufbuild/protobuf/reflect'
import { StructSchema } from '@bufbuild/protobuf/wkt'
import type { Interceptor } from '@connectrpc/connect'
import { InvalidInputError } from '@wadi/errors/domain-error.ts'
import { UnsupportedSchema } from '@wadi/protocol/gen/argocd/unsupported/unsupported_pb.ts'

/**
 * Refuses requests of newer clients that say something which would be ignored: without it, the call could mean
 * something else. In JSON the server refuses unknown names by itself. An unsupported method returns that error whatever the
 * request says.
 */
export const refuseUnknownFields: Interceptor = (next) => (request) => {
  const { method } = request
  if (method.input.typeName === UnsupportedSchema.typeName) return next(request)
  if (!request.stream) requireKnownFields(method.input, request.message)
  else if (method.methodKind === 'server_streaming') {
    return next({ ...request, message: checked(method.input, request.message) })
  }
  return next(request)
}

async function* checked<Desc extends DescMessage>(
  schema: Desc,
  messages: AsyncIterable<MessageShape<Desc>>,
): AsyncIterable<MessageShape<Desc>> {
  for await (const message of messages) {
    requireKnownFields(schema, message)
    yield message
  }
}

/**
 * @throws InvalidInputError that names the number of the field and its message
 * @internal
 */
export function requireKnownFields<Desc extends DescMessage>(
  schema: Desc,
  message: MessageShape<Desc>,
): void {
  checkFields(reflect(schema, message))
}

/** Objects are plain JSON once they are read, with nothing unknown left in them. */
function checkFields(message: ReflectMessage): void {
  const [unknown] = message.getUnknown() ?? []
  if (unknown) throw new InvalidInputError(`unsupported field ${unknown.no} in ${message.desc.name}`)
  for (const field of message.fields) {
    if (field.message === undefined || field.message.typeName === StructSchema.typeName) continue
    if (!message.isSet(field)) continue
    if (field.fieldKind === 'message') checkFields(message.get(field))
    else if (field.fieldKind === 'list' || field.fieldKind === 'map') {
      const items = field.fieldKind === 'map' ? message.get(field).values() : message.get(field)
      for (const item of items) if (isReflectMessage(item)) checkFields(item)
    }
  }
}
