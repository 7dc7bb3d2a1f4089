import { type PlacedApplication, placedApplication } from '@wadi/changes/applications/placed-application.ts'
import { errorMessage, InvalidInputError } from '@wadi/errors/domain-error.ts'
import type { Manifest } from '@wadi/manifests/manifest.ts'
import { by } from '@wadi/order/by-name.ts'
import { clusterApplicationObjects } from '../import/cluster-objects.ts'
import { findObjects, type Selection, selected, titleOf } from '../import/found-objects.ts'
import type { ImportContext } from '../import/import-context.ts'
import { setApplications } from '../import/set-applications.ts'

/** The Applications that are compared, and what is known of others. */
interface ShadowedApplications {
  readonly applications: readonly PlacedApplication[]
  readonly warnings: readonly string[]
}

/**
 * Finds the Applications with `sourceHydrator` in files, also those that ApplicationSets make, or of a cluster.
 * @param place files and directories of the repository, or the kubeconfig of a cluster
 */
export async function shadowedApplications(
  context: ImportContext,
  place: { readonly inside: readonly string[] } | { readonly kubeconfig: string },
  selection: Selection,
): Promise<ShadowedApplications> {
  const warnings: string[] = []
  const objects =
    'kubeconfig' in place
      ? await clusterApplicationObjects(place.kubeconfig, context.side.signal)
      : await applicationsOfFiles(context, place.inside, warnings)
  const wanted = selected(
    objects.map((manifest) => ({ manifest })),
    selection,
  )
  const applications = wanted.flatMap(({ manifest }) => {
    try {
      return placedApplication(manifest) ?? []
    } catch (error) {
      if (!(error instanceof InvalidInputError)) throw error
      warnings.push(`${titleOf(manifest)} is not compared: ${errorMessage(error)}`)
      return []
    }
  })
  return { applications: applications.toSorted(by(({ key }) => key)), warnings }
}

async function applicationsOfFiles(
  context: ImportContext,
  inside: readonly string[],
  warnings: string[],
): Promise<Manifest[]> {
  const found = await findObjects(context.side.tree, inside)
  warnings.push(
    ...found.warnings,
    ...found.unreadable.map(({ file, line, reason }) => `${file}:${line} is not compared: ${reason}`),
  )
  const all = await Promise.all(
    found.objects.map(async ({ manifest }) => {
      if (manifest['kind'] !== 'ApplicationSet') return [manifest]
      const { applications, unknown } = await setApplications(manifest, context)
      if (unknown !== undefined) warnings.push(`${titleOf(manifest)} is not compared as a whole: ${unknown}`)
      return applications
    }),
  )
  return all.flat()
}
