import { create, type MessageInitShape } from '@bufbuild/protobuf'
import type { HandlerContext } from '@connectrpc/connect'
import { isLeftOut } from '@wadi/hydration/manifest-files.ts'
import { readHydratorMetadata } from '@wadi/hydration/hydrator-metadata.ts'
import { defaultLayout, type Layout } from '@wadi/resources/application/layout.ts'
import { NotFoundError } from '@wadi/errors/domain-error.ts'
import { type Manifest, manifestIdentity } from '@wadi/manifests/manifest.ts'
import { manifestToJson } from '@wadi/manifests/manifest-json.ts'
import { maskedSecrets } from '@wadi/manifests/mask-secrets.ts'
import { parseManifests } from '@wadi/manifests/parse-manifests.ts'
import type { ResourceDiffSchema } from '@wadi/protocol/gen/argocd/v1alpha1/application_pb.ts'
import { GetManifestsRequestSchema } from '@wadi/protocol/gen/wadi/api_gateway/v1/application_service_pb.ts'
import type { GatewayContext } from '../context.ts'
import { getManifests } from '../routes/get-manifests.ts'
import { namespaceFiller } from './manifest-namespaces.ts'

type ResourceDiff = MessageInitShape<typeof ResourceDiffSchema>

/** The manifests of an Application that are requested. */
interface Selection {
  readonly name: string
  readonly namespace: string
  /** The dry revision to render. */
  readonly dryRevision: string
  /** The namespace of the Application's destination. */
  readonly destinationNamespace: string
}

/**
 * Returns each object of an Application as it is on the hydrated branch and as the dry source renders to it. Values of
 * Secrets are masked, in a way that shows which ones differ. What the layout of the directory leaves out is not compared.
 */
export async function managedResources(
  context: GatewayContext,
  call: HandlerContext,
  selection: Selection,
): Promise<ResourceDiff[]> {
  const [live, target] = await Promise.all([
    hydratedManifests(context, call, selection),
    renderedManifests(context, call, selection),
  ])
  const rendered = target.manifests.filter((manifest) => !isLeftOut(manifest, live.layout))
  const fillNamespace = namespaceFiller([...live.manifests, ...rendered], selection.destinationNamespace)
  const olds = byIdentity(live.manifests.map(fillNamespace))
  const news = byIdentity(rendered.map(fillNamespace))
  return [...new Set([...olds.keys(), ...news.keys()])]
    .toSorted()
    .flatMap((key) => resourceDiff(olds.get(key), news.get(key)))
}

/** Renders the dry source of an Application at a dry revision; objects are as the dry source has them. */
export async function renderedManifests(
  context: GatewayContext,
  call: HandlerContext,
  { name, namespace, dryRevision }: Pick<Selection, 'name' | 'namespace' | 'dryRevision'>,
): Promise<{ manifests: Manifest[]; commands: string[]; drySha: string }> {
  const request = create(GetManifestsRequestSchema, { name, namespace, dryRevision })
  const { manifest, drySha, commands } = await getManifests(context)(request, call)
  return { manifests: parseManifests(manifest, { file: 'rendered manifests' }), commands, drySha }
}

async function hydratedManifests(
  context: GatewayContext,
  call: HandlerContext,
  { name, namespace }: Selection,
): Promise<{ manifests: Manifest[]; layout: Layout }> {
  try {
    const request = create(GetManifestsRequestSchema, { name, namespace })
    const { manifest, metadata } = await getManifests(context)(request, call)
    const { layout } = readHydratorMetadata(metadata)
    return { manifests: parseManifests(manifest, { file: 'hydrated manifests' }), layout }
  } catch (error) {
    // Nothing is hydrated yet, so everything is new.
    if (error instanceof NotFoundError) return { manifests: [], layout: defaultLayout }
    throw error
  }
}

function byIdentity(manifests: readonly Manifest[]): Map<string, Manifest> {
  return new Map(
    manifests.map((manifest) => {
      const { group, kind, namespace, name } = manifestIdentity(manifest)
      return [[group, kind, namespace, name].join('\0'), manifest]
    }),
  )
}

function resourceDiff(live: Manifest | undefined, target: Manifest | undefined): ResourceDiff[] {
  const manifest = live ?? target
  if (manifest === undefined) return []
  const { group, kind, namespace, name } = manifestIdentity(manifest)
  const modified = json(live) !== json(target)
  const [maskedLive, maskedTarget] = maskedSecrets(live, target)
  const [shownLive, shownTarget] = [json(maskedLive), json(maskedTarget)]
  return [
    {
      group,
      kind,
      namespace,
      name,
      modified,
      liveState: shownLive,
      normalizedLiveState: shownLive,
      targetState: shownTarget,
      predictedLiveState: shownTarget,
    },
  ]
}

function json(manifest: Manifest | undefined): string {
  return manifest === undefined ? 'null' : manifestToJson(manifest)
}
