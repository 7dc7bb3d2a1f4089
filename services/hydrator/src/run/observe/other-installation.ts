import { installationConfigMap } from '@wadi/hydration/installation-id.ts'
import type { OperatorSettings } from '../../operator-settings.ts'
import type { ObservedRun } from '../branch-run.ts'
import { memberName } from './member-name.ts'

/** Returns true if a run leaves the branch to another installation. */
export function isLeftToOther({ installation, position, settings, hard }: ObservedRun): boolean {
  return isLeftToWriter(position.installation, installation, settings) && !hard
}

/**
 * Returns true if a branch is left to the installation that wrote it, which only a hard hydration changes.
 * @param writer the id that the branch's notes name; empty for notes of older versions, which have none
 * @param own the id of this installation
 */
export function isLeftToWriter(
  writer: string,
  own: string,
  { otherInstallations }: Pick<OperatorSettings, 'otherInstallations'>,
): boolean {
  return writer !== '' && writer !== own && otherInstallations === 'leave'
}

/** Returns the reason why a branch of another installation is left alone and what to do. */
export function leftToOtherMessage({ branch, groups, installation, position }: ObservedRun): string {
  return (
    `branch ${branch} is hydrated by another installation of Wadi, ${position.installation}; this one is ${installation} and leaves it alone. ` +
    `Give the Applications of one of the two another branch. If the other installation is gone or to be replaced, take the branch over with ` +
    `"wadi app hydrate ${memberName(groups)} --hard", or all branches with sourceHydrator.otherInstallations: take in argocd-cm; ` +
    `if this is the same installation with a new store, write the id ${position.installation} into ConfigMap ${installationConfigMap} and restart`
  )
}
