import { withoutUserInfo } from '@wadi/errors/redaction.ts'
import type { JsonObject } from '@bufbuild/protobuf'
import { objectAt, textAt } from '@wadi/fields/json-fields.ts'
import { requestAnnotations } from '@wadi/resources/application/hydration-request.ts'

type HydrationStatus = 'Hydrated' | 'Hydrating' | 'Failed' | 'Unknown'

/** The hydration state of an Application, from its `status.sourceHydrator`. */
export interface HydrationState {
  status: HydrationStatus
  /** The error; empty if there is none. */
  message: string
  /** The dry commit of the newest operation; empty when it has none yet. */
  operationDrySha: string
  /** Identity of the newest operation: when it began. */
  startedAt: string
  finishedAt: string
  /** The dry commit and the hydrated commit of the newest success; empty before the first. */
  drySha: string
  hydratedSha: string
  /** The newest dry commit that the server has seen; empty when none. */
  newestDrySha: string
  /** Somebody else's change to the hydrated branch; empty if it is as Wadi left it. */
  foreignChange: string
  /** The page of the pull request to the branch that is deployed from, and how it stands; empty without one. */
  pullRequest: string
  /** True while a requested hydration has not ended. */
  isPending: boolean
}

/** Reads the hydration state of an Application. */
export function hydrationState(application: JsonObject): HydrationState {
  const hydrator = objectAt(application, 'status', 'sourceHydrator')
  const operation = objectAt(hydrator, 'currentOperation')
  const success = objectAt(hydrator, 'lastSuccessfulOperation')
  const annotations = objectAt(application, 'metadata', 'annotations')
  return {
    status: statusOf(textAt(operation, 'phase')),
    message: withoutUserInfo(textAt(operation, 'message')),
    operationDrySha: textAt(operation, 'drySHA'),
    startedAt: textAt(operation, 'startedAt'),
    finishedAt: textAt(operation, 'finishedAt'),
    drySha: textAt(success, 'drySHA'),
    hydratedSha: textAt(success, 'hydratedSHA'),
    newestDrySha: textAt(hydrator, 'lastComparedDryRevision'),
    foreignChange: textAt(hydrator, 'foreignChange', 'message'),
    pullRequest: [textAt(hydrator, 'pullRequest', 'url'), textAt(hydrator, 'pullRequest', 'message')]
      .filter((text) => text !== '')
      .join(', '),
    isPending: requestAnnotations.some((name) => Object.hasOwn(annotations, name)),
  }
}

/** The branch that hydration writes to: the staging branch, else the one that is deployed from. */
export function hydratedBranchName(application: JsonObject): string {
  const hydrator = objectAt(application, 'spec', 'sourceHydrator')
  return textAt(hydrator, 'hydrateTo', 'targetBranch') || textAt(hydrator, 'syncSource', 'targetBranch')
}

/** A commit id in the length that argocd prints. */
export function shortSha(sha: string): string {
  return sha.slice(0, 7)
}

function statusOf(phase: string): HydrationStatus {
  return phase === 'Hydrated' || phase === 'Hydrating' || phase === 'Failed' ? phase : 'Unknown'
}
