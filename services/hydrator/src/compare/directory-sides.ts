import type { ComparedSide } from '@wadi/changes/applications/application-changes.ts'
import { parseManifests } from '@wadi/manifests/parse-manifests.ts'
import type { ObservedRun } from '../run/branch-run.ts'
import { heldDirectories } from '../run/render/held-directories.ts'
import type { RunContext } from '../run/run-context.ts'

/** A branch at a commit. */
type HeldBranch = Pick<ObservedRun, 'repoUrl' | 'branch' | 'project'> & {
  readonly position: { readonly headSha: string }
}

/** Bytes of a manifest.yaml; one that Wadi wrote has fewer, but people may have changed it. */
const maxManifestBytes = 64 * 1024 * 1024

/**
 * Reads directories of a hydrated branch as `heldDirectories` does, and the objects of each.
 * @returns a function that returns each directory once; undefined for a directory where nothing is hydrated
 */
export function heldSides(
  context: Pick<RunContext, 'commitServer'>,
  { repoUrl, branch, project, position: { headSha: revision } }: HeldBranch,
  paths: readonly string[],
  signal: AbortSignal,
): (path: string) => Promise<ComparedSide | undefined> {
  const directoryOf = heldDirectories(context, { repoUrl, project, revision }, paths, signal)
  return async (path) => {
    const found = await directoryOf(path)
    if (!found) return undefined
    const file = `manifest.yaml in ${path || '.'} of branch ${branch}`
    const manifests = parseManifests(found.manifest, { file, limits: { maxBytes: maxManifestBytes } })
    return { manifests, files: found.files }
  }
}
