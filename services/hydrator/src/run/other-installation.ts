import { installationConfigMap } from '@wadi/hydration/installation-id.ts'
import type { ObservedRun } from './branch-run.ts'
import { memberName } from './member-name.ts'

/** Whether another installation hydrates the branch, which is left to it then; notes without an id are those of older versions. */
export function isLeftToOther({ installation, position, settings, hard }: ObservedRun): boolean {
  const writer = position.installation
  return writer !== '' && writer !== installation && settings.otherInstallations === 'leave' && !hard
}

/** Why a branch of another installation is left alone and what to do. */
export function leftToOtherMessage({ branch, groups, installation, position }: ObservedRun): string {
  return (
    `branch ${branch} is hydrated by another installation of Wadi, ${position.installation}; this one is ${installation} and leaves it alone. ` +
    `Give the Applications of one of the two another branch. If the other installation is gone or to be replaced, take the branch over with ` +
    `"wadi app hydrate ${memberName(groups)} --hard", or all branches with sourceHydrator.otherInstallations: take in argocd-cm; ` +
    `if this is the same installation with a new store, write the id ${position.installation} into ConfigMap ${installationConfigMap} and restart`
  )
}
