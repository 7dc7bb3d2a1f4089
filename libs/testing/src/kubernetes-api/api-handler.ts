import { apiVersionOf } from '@wadi/kubernetes/client/api-resource.ts'
import type { Resource } from '@wadi/resources/resource.ts'
import { ApiFailure, notFound } from './api-failure.ts'
import type { ReceivedRequest } from './api-request.ts'
import { type ObjectSelector, objectSelector } from './object-selector.ts'
import type { KindStore, ObjectStore } from './object-store.ts'
import { ObjectWrites } from './object-writes.ts'

/** Answers everything but a watch: the status and the body. */
export function answerRequest(
  objects: ObjectStore,
  request: ReceivedRequest,
  body: unknown,
): { readonly status: number; readonly body: unknown } {
  const { namespace, name, verb } = request
  const store = objects.kind(request.group, request.version, request.plural)
  if (verb === 'list') {
    return {
      status: 200,
      body: listPage(objects, store, request, objectSelector(store.kind, namespace, request.query)),
    }
  }
  const writes = new ObjectWrites(objects, store, request.manager)
  if (verb === 'create') return { status: 201, body: writes.create(namespace, body) }
  if (name === undefined) {
    throw new ApiFailure(
      405,
      'MethodNotAllowed',
      'the server does not allow this method on the requested resource',
    )
  }
  if (request.isStatus && !store.kind.hasStatusSubresource) {
    throw notFound(store.kind, name)
  }
  switch (verb) {
    case 'get': {
      const object = store.get(namespace, name)
      if (object === undefined) throw notFound(store.kind, name)
      return { status: 200, body: object }
    }
    case 'update':
      return { status: 200, body: writes.update(namespace, name, body, request.isStatus) }
    case 'patch':
      assertMergePatch(request.contentType)
      return { status: 200, body: writes.patch(namespace, name, body, request.isStatus) }
    case 'delete':
      return { status: 200, body: writes.delete(namespace, name, body) }
    default:
      throw new ApiFailure(
        405,
        'MethodNotAllowed',
        'the server does not allow this method on the requested resource',
      )
  }
}

function assertMergePatch(contentType: string): void {
  if (contentType === 'application/merge-patch+json') return
  throw new ApiFailure(
    415,
    'UnsupportedMediaType',
    'the body of the request was in an unknown format - accepted media types include: application/merge-patch+json',
  )
}

/** One page of a list; all pages show the moment of the first. */
function listPage(
  objects: ObjectStore,
  store: KindStore,
  { query }: ReceivedRequest,
  matches: ObjectSelector,
): object {
  const { group, kind } = store.kind.resource
  const limit = Number(query.get('limit') ?? 0)
  const [token, start = '0'] = (query.get('continue') ?? '').split('/')
  const moment =
    token === undefined || token === ''
      ? { objects: store.list().filter(matches), version: objects.version }
      : objects.moment(token)
  const from = Number(start)
  const end = limit === 0 ? moment.objects.length : Math.min(from + limit, moment.objects.length)
  const left = moment.objects.length - end
  const next =
    token === undefined || token === ''
      ? () => objects.keepMoment(moment.objects, moment.version)
      : () => token
  return {
    kind: `${kind}List`,
    apiVersion: apiVersionOf(store.kind.resource),
    metadata: {
      resourceVersion: String(moment.version),
      ...(left > 0 && { continue: `${next()}/${end}`, remainingItemCount: left }),
    },
    items: moment.objects.slice(from, end).map((object) => listItem(group, object)),
  }
}

/** The objects of a list of a built-in kind do not say their kind. */
function listItem(group: string, { apiVersion, kind, ...object }: Resource): object {
  return group.includes('.') && !group.endsWith('.k8s.io') ? { apiVersion, kind, ...object } : object
}
