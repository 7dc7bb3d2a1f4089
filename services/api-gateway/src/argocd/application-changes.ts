import { create, isFieldSet, type JsonObject } from '@bufbuild/protobuf'
import type { HandlerContext } from '@connectrpc/connect'
import { InvalidInputError } from '@wadi/errors/domain-error.ts'
import { isJsonObject } from '@wadi/fields/json-object.ts'
import {
  type ApplicationCreateRequest,
  ApplicationCreateRequestSchema,
  type ApplicationUpdateRequest,
  ApplicationUpdateRequestSchema,
  type ApplicationUpdateSpecRequest,
  ApplicationUpdateSpecRequestSchema,
} from '@wadi/protocol/gen/argocd/application/application_pb.ts'
import { type Application, ApplicationSchema } from '@wadi/protocol/gen/argocd/v1alpha1/application_pb.ts'
import {
  CreateApplicationRequestSchema,
  UpdateApplicationRequestSchema,
} from '@wadi/protocol/gen/wadi/api_gateway/v1/application_service_pb.ts'
import type { Resource } from '@wadi/resources/resource.ts'
import { retryConflicts } from '../applications/retry-conflicts.ts'
import { toStruct } from '../applications/read-application.ts'
import type { GatewayContext } from '../context.ts'
import { changedApplicationRoutes } from '../routes/changed-applications.ts'
import { getProjectApplication } from './project-application.ts'
import { toKubernetesJson } from './kubernetes-json.ts'
import { withoutShownSource } from './shown-source.ts'
import { withWireRemainder } from './wire-remainder.ts'

/** Stores a new Application. Its status is the server's. */
export async function createFromArgocd(
  context: GatewayContext,
  call: HandlerContext,
  request: ApplicationCreateRequest,
): Promise<JsonObject> {
  const wanted = create(CreateApplicationRequestSchema, {
    application: asWritten(request.application),
    upsert: request.upsert,
    validate: validates(request, isFieldSet(request, ApplicationCreateRequestSchema.field.validate)),
  })
  const { application } = await changedApplicationRoutes(context).createApplication(wanted, call)
  return application
}

/** Replaces the spec, labels and annotations of an Application. */
export function updateFromArgocd(
  context: GatewayContext,
  call: HandlerContext,
  request: ApplicationUpdateRequest,
): Promise<JsonObject> {
  const written = asWritten(request.application)
  const { name = '', namespace = '' } = request.application?.metadata ?? {}
  const validate = validates(request, isFieldSet(request, ApplicationUpdateRequestSchema.field.validate))
  return change(context, call, { name, namespace, project: request.project }, validate, () => written)
}

/** Replaces the spec of an Application. */
export function updateSpecFromArgocd(
  context: GatewayContext,
  call: HandlerContext,
  request: ApplicationUpdateSpecRequest,
): Promise<JsonObject> {
  const { spec } = asWritten(create(ApplicationSchema, { ...(request.spec && { spec: request.spec }) }))
  const { name, appNamespace: namespace, project } = request
  const validate = validates(request, isFieldSet(request, ApplicationUpdateSpecRequestSchema.field.validate))
  return change(context, call, { name, namespace, project }, validate, ({ metadata }) => ({
    metadata: toStruct({ metadata } as Resource)['metadata'] ?? {},
    spec: spec ?? {},
  }))
}

/** Writes over the version that was read, with the fields of it that clients of Argo CD cannot know. */
function change(
  context: GatewayContext,
  call: HandlerContext,
  reference: { name: string; namespace: string; project: string },
  validate: boolean,
  wantedFor: (stored: Resource) => JsonObject,
): Promise<JsonObject> {
  return retryConflicts(async () => {
    const stored = await getProjectApplication(context, call, reference)
    const wanted = wantedFor(stored)
    const { spec } = withWireRemainder(
      ApplicationSchema,
      { spec: withoutShownSource(specOf(wanted)) },
      { spec: toStruct(stored)['spec'] ?? {} },
    )
    const request = create(UpdateApplicationRequestSchema, {
      application: { ...wanted, spec: spec ?? {} },
      validate,
    })
    const { application } = await changedApplicationRoutes(context).updateApplication(request, call)
    return application
  })
}

function specOf({ spec }: JsonObject): JsonObject {
  return isJsonObject(spec) ? spec : {}
}

/** @throws InvalidInputError for a request without an Application */
function asWritten(application: Application | undefined): JsonObject {
  if (application === undefined) throw new InvalidInputError('the request has no application')
  const { metadata, spec } = application
  return toKubernetesJson(
    ApplicationSchema,
    create(ApplicationSchema, { ...(metadata && { metadata }), ...(spec && { spec }) }),
  )
}

/** Argo CD validates unless a client says that it shall not. */
function validates({ validate }: { validate: boolean }, isSaid: boolean): boolean {
  return validate || !isSaid
}
