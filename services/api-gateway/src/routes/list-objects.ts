import type { HandlerContext } from '@connectrpc/connect'
import { byCodeUnits } from '@wadi/order/by-name.ts'
import type { ListObjectsRequest } from '@wadi/protocol/gen/wadi/api_gateway/v1/objects_pb.ts'
import { applicationObject } from '@wadi/rbac/decide/application-object.ts'
import type { Resource } from '@wadi/resources/resource.ts'
import { hideSecrets } from '../applications/hidden-secrets.ts'
import type { HydratedObject } from '../applications/hydrated-objects.ts'
import type { KeptObjects } from '../applications/kept-objects.ts'
import type { keepOrigins } from '../applications/object-origins.ts'
import { getStoredApplication } from '../applications/read-application.ts'
import type { GatewayContext } from '../context.ts'
import { pageOf } from '../summaries/page.ts'
import { searchedText } from '../summaries/summary-filter.ts'

const maxNamespaces = 500

/** Lists the objects of a hydrated commit, a page at a time. */
export function listObjects(
  context: GatewayContext,
  kept: KeptObjects,
  originsOf: ReturnType<typeof keepOrigins>,
) {
  return async (request: ListObjectsRequest, call: HandlerContext) => {
    const text = searchedText(request.text.trim())
    const { resource, application } = await getStoredApplication(context, call, request)
    const commit = await kept.of(application, request.name, request.hydratedSha)
    const { objects, hydratedSha, drySha } = commit
    const { origin } = request
    const origins = origin === undefined ? undefined : await originsOf(application, commit)
    const kinds = new Set(request.kinds)
    const namespaces = new Set(request.namespaces)
    const ofAllKinds = objects.filter(
      (object) =>
        (origins === undefined || origins.positionOf(object.identity) === origin) &&
        (namespaces.size === 0 || namespaces.has(object.identity.namespace)) &&
        (text === '' || hasText(object, text)),
    )
    const selected = ofAllKinds.filter(({ kind }) => kinds.size === 0 || kinds.has(kind))
    return {
      hydratedSha,
      drySha,
      objects: pageOf(selected, request).map((object) =>
        listedObject(object, shownText(context, resource, object)),
      ),
      total: selected.length,
      kinds: kindCounts(ofAllKinds),
      namespaces: [...new Set(objects.map(({ identity }) => identity.namespace))]
        .toSorted(byCodeUnits)
        .slice(0, maxNamespaces),
    }
  }
}

/** Returns the YAML of an object of an Application; the values of a Secret are hidden. */
export function shownText(
  context: GatewayContext,
  application: Resource,
  { yaml, isSecret }: HydratedObject,
): string {
  return isSecret ? hideSecrets(context, applicationObject(application), yaml).manifest : yaml
}

/** Returns an object as lists have it. */
export function listedObject({ identity, file, line }: HydratedObject, text: string) {
  const { version, ...named } = identity
  return { identity: named, version, file, line, characters: text.length }
}

/** Returns true if an object has a text in lower case; in the YAML of a Secret nobody can try out its values. */
function hasText({ kind, identity, yaml, isSecret }: HydratedObject, text: string): boolean {
  const { namespace, name } = identity
  if (`${kind}\n${namespace}/${name}`.toLowerCase().includes(text)) return true
  return !isSecret && yaml.toLowerCase().includes(text)
}

function kindCounts(objects: readonly HydratedObject[]): { kind: string; total: number }[] {
  const counts = new Map<string, number>()
  for (const { kind } of objects) counts.set(kind, (counts.get(kind) ?? 0) + 1)
  return [...counts].map(([kind, total]) => ({ kind, total }))
}
