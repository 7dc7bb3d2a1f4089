import { isLeftOut } from '@wadi/hydration/manifest-files.ts'
import { NotFoundError } from '@wadi/errors/domain-error.ts'
import { manifestFromJson } from '@wadi/manifests/manifest-json.ts'
import type { Manifest } from '@wadi/manifests/manifest.ts'
import { parseManifests } from '@wadi/manifests/parse-manifests.ts'
import type { FileBesideManifests } from '@wadi/protocol/gen/wadi/manifests/v1/manifests_pb.ts'
import type { ObservedRun } from '../run/branch-run.ts'
import type { RenderedDirectory } from '../run/render.ts'
import type { RunContext } from '../run/run-context.ts'

/** What a hydrated directory holds, or would hold. */
export interface Side {
  readonly manifests: readonly Manifest[]
  readonly files: readonly FileBesideManifests[]
}

/** A branch at a commit. */
type HeldBranch = Pick<ObservedRun, 'repoUrl' | 'branch' | 'project'> & {
  readonly position: { readonly headSha: string }
}

/** Bytes of a manifest.yaml; one that Wadi wrote has fewer, but people may have changed it. */
const maxManifestBytes = 64 * 1024 * 1024

/** Reads a directory of a hydrated branch; undefined when nothing is hydrated there. */
export async function heldSide(
  { commitServer }: Pick<RunContext, 'commitServer'>,
  { repoUrl, branch, project, position: { headSha: revision } }: HeldBranch,
  path: string,
  signal: AbortSignal,
): Promise<Side | undefined> {
  if (revision === '') return undefined
  try {
    const { manifest, files } = await commitServer.getManifests(
      { repoUrl, revision, path, project },
      { signal },
    )
    const file = `manifest.yaml in ${path || '.'} of branch ${branch}`
    return { manifests: parseManifests(manifest, { file, limits: { maxBytes: maxManifestBytes } }), files }
  } catch (error) {
    if (error instanceof NotFoundError) return undefined
    throw error
  }
}

/** The result of a render as a directory, without what its layout leaves out. */
export function renderedSide({
  directory,
  manifests,
  files,
}: Pick<RenderedDirectory, 'directory' | 'manifests' | 'files'>): Side {
  const objects = manifests.map((text) => manifestFromJson(text))
  return { manifests: objects.filter((object) => !isLeftOut(object, directory.layout)), files }
}
