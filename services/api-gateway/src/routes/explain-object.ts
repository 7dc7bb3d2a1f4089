import type { HandlerContext } from '@connectrpc/connect'
import type { ExplainObjectRequest } from '@wadi/protocol/gen/wadi/api_gateway/v1/objects_pb.ts'
import type { KeptObjects } from '../applications/kept-objects.ts'
import type { keepOrigins } from '../applications/object-origins.ts'
import { getStoredApplication } from '../applications/read-application.ts'
import type { GatewayContext } from '../context.ts'
import { requireObject } from './get-object.ts'

const maxValues = 200

/** A shorter value is in a text by chance. */
const minTextLength = 4

/** Returns the template of an object, and the values that it reads; where that is not known, those whose text the object has. */
export function explainObject(
  context: GatewayContext,
  kept: KeptObjects,
  originsOf: ReturnType<typeof keepOrigins>,
) {
  return async (request: ExplainObjectRequest, call: HandlerContext) => {
    const { application } = await getStoredApplication(context, call, request)
    const commit = await kept.of(application, request.name, request.hydratedSha)
    const object = requireObject(commit, request)
    const { origins, positionOf, valuesOf } = await originsOf(application, commit)
    const origin = origins[positionOf(object.identity) - 1]
    const reads = origin?.origin.reads ?? []
    const { values: all, leftOut } = valuesOf(origin?.source)
    // The text of a Secret would say which values are in it.
    const isPart = (text: string) =>
      !object.isSecret && text.length >= minTextLength && object.yaml.includes(text)
    const values =
      reads.length > 0
        ? all.filter(({ path }) => reads.some((read) => isRead(path, read)))
        : all.filter(({ value }) => value?.kind.case === 'stringValue' && isPart(value.kind.value))
    return {
      ...(origin && { origin }),
      values: values.slice(0, maxValues),
      valuesLeftOut: Math.max(0, values.length - maxValues) + leftOut,
      byText: reads.length === 0 && values.length > 0,
    }
  }
}

/** Returns true if a template that reads a path reads a value: of one above it a part, of one below it all. */
function isRead(path: string, read: string): boolean {
  return read === '.' || path === read || path.startsWith(`${read}.`) || read.startsWith(`${path}.`)
}
