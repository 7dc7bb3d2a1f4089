import { isDeepStrictEqual } from 'node:util'
import {
  ConflictError,
  DomainError,
  FailedPreconditionError,
  NotFoundError,
} from '@wadi/errors/domain-error.ts'
import { controlPlaneNamespace } from '@wadi/resources/control-plane-namespace.ts'
import { isBeingDeleted, type Resource } from '@wadi/resources/resource.ts'
import { mutatePart, mutateStatus } from '@wadi/resources/store/resource-store.ts'
import { type Author, authorMissing, currentAuthor, readAuthor } from '../access/author.ts'
import { requireAuthorized } from '../access/authorship.ts'
import { checkApplications, checkDeletions, checkProjects } from '../access/check-applications.ts'
import { inputGuardOf } from '../access/input-guard-of.ts'
import { repositoryRecords } from '../access/repository-records.ts'
import { parseApplicationSet } from '@wadi/application-sets/application-set.ts'
import { refreshAnnotation } from '@wadi/resources/decided-version.ts'
import { applyChanges } from '../changes/apply-changes.ts'
import { existingApplications } from '../changes/generated-set.ts'
import { isAsGenerated, planApplicationChanges } from '../changes/plan-application-changes.ts'
import { isUnchanged } from '../changes/unchanged-object.ts'
import type { AppsetServiceContext } from '../context.ts'
import { applicationsOf } from '../applications-of-set.ts'
import { type FailureReason, type SetOutcome, statusAfter } from '../status/application-set-status.ts'
import { type GeneratorFacts, generatorFacts } from './generator-facts.ts'
import type { ObservedInputs } from './generator-input-cache.ts'

/** The outcome of one pass over a set. */
export interface SetPass {
  /** Undefined for a set that cannot be read. */
  facts: GeneratorFacts | undefined
  observed: ObservedInputs
  /** Applications that were written or deleted. */
  changed: number
  /** The reason why nothing, or not everything, was changed. */
  error: unknown
}

type Stored = Pick<Resource['metadata'], 'name'> & { namespace: string }

/**
 * Makes the Applications of a stored set what it generates, as far as its author may do that by the policy of this
 * moment, and writes the outcome into its status. A set whose generators, templates or rights fail changes nothing. Undefined when
 * there is no such set, or one that is being deleted.
 * @throws when the outcome cannot be stored, and when `signal` ends
 */
export async function reconcileSet(
  context: AppsetServiceContext,
  { namespace, name }: Stored,
  signal: AbortSignal,
): Promise<SetPass | undefined> {
  // A user's change of the set, of which this waits for the end, writes the set first and its author then.
  const stored = await context.setLock.run(lockKey({ namespace, name }), () =>
    context.store.get('ApplicationSet', namespace, name),
  )
  if (!stored || isBeingDeleted(stored)) return undefined
  const pass: SetPass = {
    facts: undefined,
    observed: { repositories: new Set(), answers: new Map(), oldest: new Map() },
    changed: 0,
    error: undefined,
  }
  const stage: { reason: FailureReason } = { reason: 'ErrorOccurred' }
  try {
    const outcome = await changeApplications(context, stored, { pass, stage, signal })
    await writeStatus(context, stored, outcome)
  } catch (error) {
    signal.throwIfAborted()
    pass.error = error
    // Somebody changes the set or an Application at the same time: the next pass sees what they did.
    if (error instanceof ConflictError) return pass
    const message = error instanceof DomainError ? error.message : 'internal error'
    await writeStatus(context, stored, { reason: stage.reason, message })
  }
  if (isRefreshAsked(stored)) await removeRefresh(context, stored)
  return pass
}

async function changeApplications(
  context: AppsetServiceContext,
  stored: Resource,
  { pass, stage, signal }: { pass: SetPass; stage: { reason: FailureReason }; signal: AbortSignal },
): Promise<SetOutcome> {
  const set = parseApplicationSet(stored)
  pass.facts = generatorFacts(set)
  const author = checkedAuthor(context, stored)
  stage.reason = 'ApplicationGenerationFromParamsError'
  const sources = context.inputCache.sources(context, {
    requeueMs: pass.facts.requeueMs,
    notBefore: set.refresh ? performance.now() : -Infinity,
    observed: pass.observed,
  })
  const guard = inputGuardOf(context.policy.enforcer, author.subject, repositoryRecords(context, signal))
  const applications = await applicationsOf(set, sources, {
    guard,
    account: author.subject.sub,
    signal,
  })
  stage.reason = 'ApplicationValidationError'
  requireAuthorized(author, applications)
  return context.setLock.run(lockKey(stored.metadata), async () => {
    // Known before the set is found to be the same, so a pass that is held up after that writes over nothing of a newer set.
    const existing = await existingApplications(context, stored, applications)
    await requireSame(context, stored, pass.observed)
    const access = { enforcer: context.policy.enforcer, subject: author.subject }
    // What is left as it is needs no right: somebody who may create and not update made it.
    const isLeft = (one: Resource) => isAsGenerated(one, { set, stored, existing })
    checkApplications(access, { stored, generated: applications, existing, isLeft })
    const { changes, withheld } = planApplicationChanges({
      set,
      stored,
      generated: applications,
      existing,
      limits: context.deletionLimits,
      confirmDeletions: false,
    })
    const wanted = changes.flatMap(({ after }) => after ?? [])
    checkDeletions(access, changes)
    await checkProjects(access, context.store, wanted)
    stage.reason = 'UpdateApplicationError'
    const changed = changes.filter(({ action }) => action !== 'unchanged' && action !== 'keep').length
    // A store that follows a cluster may hear of the Applications of a newer set before it hears of that set.
    if (changed > 0) await requireSame(context, stored, pass.observed, { isCurrent: true })
    await applyChanges(context.store, stored, changes, signal)
    pass.changed = changed
    return { applications, changes, withheld }
  })
}

function lockKey({ namespace, name }: Pick<Resource['metadata'], 'name' | 'namespace'>): string {
  return `${namespace || controlPlaneNamespace}/${name}`
}

/** In whose name the set makes Applications; what nobody with an identity was checked for makes none. */
function checkedAuthor({ seal }: AppsetServiceContext, stored: Resource): Author {
  const author = currentAuthor(stored, seal)
  if (author) return author
  throw new FailedPreconditionError('the ApplicationSet was not checked yet: apply it again', {
    code: authorMissing,
  })
}

/** @throws ConflictError when the set is not the one that was generated any more, or others observed newer answers */
async function requireSame(
  { store, inputCache, seal }: AppsetServiceContext,
  stored: Resource,
  observed: ObservedInputs,
  options: { isCurrent?: boolean } = {},
): Promise<void> {
  const { namespace = '', name } = stored.metadata
  const now = await store.get('ApplicationSet', namespace, name, options)
  const isSame =
    now && isUnchanged(stored, now) && isDeepStrictEqual(readAuthor(stored, seal), readAuthor(now, seal))
  if (isSame && inputCache.isNewest(observed)) return
  throw new ConflictError(`ApplicationSet ${namespace}/${name} was changed meanwhile`)
}

/** Nothing is written for a set that is gone or another one by now, and none that is the same. */
async function writeStatus(
  { store }: AppsetServiceContext,
  { metadata }: Resource,
  outcome: SetOutcome,
): Promise<void> {
  await ofSameSet(metadata, ({ namespace, name }) =>
    mutateStatus(store, 'ApplicationSet', namespace, name, (current) => {
      const { uid, generation } = current.metadata
      if (uid !== metadata.uid || generation !== metadata.generation) return undefined
      const status = statusAfter(current.status, outcome, new Date())
      return isDeepStrictEqual(status, current.status) ? undefined : { ...current, status }
    }),
  )
}

function isRefreshAsked({ metadata }: Resource): boolean {
  return metadata.annotations?.[refreshAnnotation] === 'true'
}

async function removeRefresh({ store }: AppsetServiceContext, { metadata }: Resource): Promise<void> {
  await ofSameSet(metadata, ({ namespace, name }) =>
    mutatePart(store, 'ApplicationSet', namespace, name, (current) => {
      if (current.metadata.uid !== metadata.uid || !isRefreshAsked(current)) return undefined
      return { metadata: { annotations: { [refreshAnnotation]: null } } }
    }),
  )
}

async function ofSameSet(
  { namespace = '', name }: Resource['metadata'],
  write: (stored: Stored) => Promise<unknown>,
): Promise<void> {
  try {
    await write({ namespace, name })
  } catch (error) {
    if (!(error instanceof NotFoundError)) throw error
  }
}
