import { InvalidInputError } from '@wadi/errors/domain-error.ts'
import type { Verification } from '@wadi/hydration/source-verification.ts'
import type { Manifest } from '@wadi/manifests/manifest.ts'
import { manifestFromJson } from '@wadi/manifests/manifest-json.ts'
import type { FileBesideManifests, ObjectOrigin } from '@wadi/protocol/gen/wadi/manifests/v1/manifests_pb.ts'
import type { RandomValues } from '@wadi/protocol/gen/wadi/repo_server/v1/repo_server_pb.ts'
import type { EditedFile } from '@wadi/protocol/gen/wadi/parameters/v1/parameters_pb.ts'
import type { GatewayContext } from '../context.ts'
import type { dryRequest } from './store-application.ts'

/** A render of the dry source of an Application at a commit, with files that replace some of its own. */
interface DryRender extends ReturnType<typeof dryRequest> {
  sha: string
  verification: Verification
  /** The chart whose archive is rendered; absent for a commit. */
  chart?: { name: string; version: string }
  /** The commits of the other sources whose files it may read. */
  referenced?: { ref: string; repoUrl: string; sha: string; verification: Verification }[]
  /** The versions that its branch keeps; absent for the installation's own. */
  defaultTools?: { helm: string; kustomize: string }
  edits?: EditedFile[]
  /** True to find out what the objects were made from; default: false. */
  withOrigins?: boolean
}

/** The result of a render. */
interface DryManifests {
  manifests: Manifest[]
  files: FileBesideManifests[]
  commands: string[]
  warnings: string[]
  /** The values that differ from render to render. */
  random: RandomValues[]
  /** The origin of each manifest; undefined where it is not known. */
  origins: (ObjectOrigin | undefined)[]
}

/**
 * Renders the dry source of an Application.
 * @throws InvalidInputError when it cannot be rendered, with the reason
 */
export async function renderDry(
  { repoServer }: Pick<GatewayContext, 'repoServer'>,
  {
    repoUrl,
    project,
    source,
    sha,
    verification,
    chart,
    referenced,
    defaultTools,
    edits = [],
    withOrigins = false,
  }: DryRender,
  signal: AbortSignal,
): Promise<DryManifests> {
  const rendered: DryManifests = {
    manifests: [],
    files: [],
    commands: [],
    warnings: [],
    random: [],
    origins: [],
  }
  const others = {
    ...(chart && { chart }),
    ...(referenced && { referenced }),
    ...(defaultTools && { defaultTools }),
  }
  const request = { repoUrl, project, sha, verification, sources: [source], edits, withOrigins, ...others }
  for await (const part of repoServer.renderSources(request, { signal })) {
    if (part.error !== '') throw new InvalidInputError(part.error)
    rendered.manifests.push(...part.manifests.map((text) => manifestFromJson(text)))
    rendered.files.push(...part.files)
    rendered.commands.push(...(part.record?.commands ?? []))
    rendered.warnings.push(...(part.record?.warnings ?? []))
    rendered.random.push(...(part.record?.random ?? []))
    const { origins = [], originOf = [] } = part.record?.origins ?? {}
    rendered.origins.push(...originOf.map((position) => origins[position - 1]))
  }
  return rendered
}
