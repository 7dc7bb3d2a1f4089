import type { JsonObject } from '@bufbuild/protobuf'
import type { HandlerContext } from '@connectrpc/connect'
import { DomainError, InvalidInputError } from '@wadi/errors/domain-error.ts'
import { inContext } from '@wadi/errors/with-context.ts'
import { someOf } from '@wadi/errors/some-of.ts'
import { isJsonObject } from '@wadi/fields/json-object.ts'
import type { ApplyApplicationsRequest } from '@wadi/protocol/gen/wadi/api_gateway/v1/application_service_pb.ts'
import { objectName } from '@wadi/resources/application/application.ts'
import { applicationWarnings } from '@wadi/resources/application/application-warnings.ts'
import { checkedApplication } from '@wadi/resources/application/checked-application.ts'
import { controlPlaneNamespace } from '@wadi/resources/control-plane-namespace.ts'
import { projectCheck } from '../applications/permitted-by-project.ts'
import { readUserApplication, toStruct } from '../applications/read-application.ts'
import { planStore, type StoreOutcome } from '../applications/store-application.ts'
import { policyObjectOf } from '../authorization/policy-object.ts'
import { requireStoreRight } from '../authorization/store-right.ts'
import type { ResourceWrite } from '@wadi/resources/store/resource-store.ts'
import type { GatewayContext } from '../context.ts'

const maxNamed = 10

/**
 * Creates or changes Applications, none unless all of them may be, and at once, so that what follows the store meets them
 * together and a client that dies leaves nothing half done. When somebody else writes one of them meanwhile, those before
 * it are stored, and the error says which. Each needs the right that `ApplyResource` takes.
 */
export function applyApplications(context: GatewayContext) {
  return async ({ applications, dryRun, outcomesOnly }: ApplyApplicationsRequest, call: HandlerContext) => {
    if (applications.length === 0) throw new InvalidInputError('applications: at least one is required')
    const permitted = projectCheck(context)
    const planned: StoreOutcome[] = []
    const rejections: Rejection[] = []
    const seen = new Set<string>()
    for (const sent of applications) {
      try {
        const outcome = await plan(context, call, sent, permitted)
        const name = objectName(outcome.resource.metadata)
        if (seen.has(name)) throw new InvalidInputError('occurs twice; remove one')
        seen.add(name)
        planned.push(outcome)
      } catch (error) {
        if (!(error instanceof DomainError)) throw error
        rejections.push({ name: nameOf(sent), error })
      }
    }
    throwRejections(rejections, applications.length)
    if (!dryRun) await writeAll(context, planned)
    const readsBack = !dryRun && !outcomesOnly
    const stored = readsBack ? await Promise.all(planned.map((one) => readBack(context, one))) : planned
    return {
      results: stored.map(({ resource, outcome }, index) => ({
        ...(!outcomesOnly && { application: toStruct(resource) }),
        outcome: outcome === 'updated' ? 'configured' : outcome,
        warnings: applicationWarnings(applications[index] ?? {}),
      })),
    }
  }
}

async function plan(
  context: GatewayContext,
  call: HandlerContext,
  sent: JsonObject,
  permitted: ReturnType<typeof projectCheck>,
): Promise<StoreOutcome> {
  const wanted = readUserApplication(sent)
  const application = checkedApplication(wanted, context.urlPolicy)
  const permit = (stored: Parameters<typeof policyObjectOf>[0] | undefined) =>
    requireStoreRight(context, call, policyObjectOf(wanted), stored && policyObjectOf(stored), true)
  const outcome = await planStore(context, wanted, { replace: true, permit })
  await permitted(application)
  return outcome
}

/** @throws the error of the first write that fails, which says what is stored; the same request stores the others */
async function writeAll({ store }: GatewayContext, planned: readonly StoreOutcome[]): Promise<void> {
  const writes = planned.flatMap(({ resource, outcome }): ResourceWrite[] =>
    outcome === 'unchanged' ? [] : [{ action: outcome === 'created' ? 'create' : 'update', resource }],
  )
  const { written, error } = await store.writeAll(writes)
  if (!error) return
  const names = writes.slice(0, written).map(({ resource }) => objectName(resource.metadata))
  const stored = names.length === 0 ? 'none' : `${names.length} (${someOf(names, maxNamed).join(', ')})`
  throw error.with({
    reason: [
      error.message,
      `${stored} of ${writes.length} changed Applications are stored; apply again to store the others`,
    ].join('\n'),
    context: [],
    at: undefined,
  })
}

async function readBack({ store }: GatewayContext, planned: StoreOutcome): Promise<StoreOutcome> {
  const { kind, metadata } = planned.resource
  const stored = await store.get(kind, metadata.namespace ?? controlPlaneNamespace, metadata.name)
  return stored ? { ...planned, resource: stored } : planned
}

/** The reason why one Application of the request is rejected. */
interface Rejection {
  /** `namespace/name`. */
  name: string
  error: DomainError
}

/** @throws an error of the first error's class that names the first ten refused Applications */
function throwRejections(rejections: readonly Rejection[], total: number): void {
  const [first] = rejections
  if (!first) return
  const messages = rejections.map(({ name, error }) => {
    const subject = `Application ${name}`
    return error.context[0] === subject ? error.message : inContext(subject, error).message
  })
  const lines = someOf(messages, maxNamed)
  if (total > 1) lines.push(`none of ${total} Applications is stored`)
  throw first.error.with({ reason: lines.join('\n'), context: [], at: undefined })
}

function nameOf(sent: JsonObject): string {
  const { metadata } = sent
  const { namespace, name } = isJsonObject(metadata) ? metadata : {}
  return `${typeof namespace === 'string' ? namespace : controlPlaneNamespace}/${typeof name === 'string' ? name : ''}`
}
