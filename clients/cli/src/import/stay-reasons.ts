import { listAt, objectAt, textAt, valueAt } from '@wadi/fields/json-fields.ts'
import type { Manifest } from '@wadi/manifests/manifest.ts'
import type { FoundObject } from './found-objects.ts'
import { specPathOf } from './found-objects.ts'
import { hasContent } from './hydrated-spec.ts'
import type { StayReason } from './import-item.ts'

const trackingId = 'argocd.argoproj.io/tracking-id'
const managedBy = 'app.kubernetes.io/managed-by'

/** Returns the reasons in an object itself why it cannot move. */
export function stayReasons(found: FoundObject): StayReason[] {
  const { manifest } = found
  const specPath = specPathOf(manifest)
  const spec = objectAt(manifest, ...specPath) as Manifest
  const { patchOf } = found
  if (patchOf !== undefined) return [{ reason: patchReason(patchOf), field: [...specPath, 'source'] }]
  const reasons = [...ownerReasons(found)]
  const at = (field: string) => [...specPath, field]
  const [hasSource, hasSources] = [hasContent(spec['source']), hasContent(spec['sources'])]
  if (spec['sourceHydrator'] !== undefined && (hasSource || hasSources)) {
    const field = hasSource ? 'source' : 'sources'
    reasons.push({
      reason: `it is half moved: it has both ${field} and sourceHydrator; remove one of them`,
      field: at(field),
    })
  } else if (hasSource && hasSources) {
    reasons.push({
      reason: 'it has both source and sources, of which Argo CD ignores source; remove one of them',
      field: at('source'),
    })
  } else if (!hasSource && !hasSources) {
    const reason =
      Object.keys(spec).length > 0
        ? 'it has neither source nor sources; give it one'
        : 'it has no spec; if it is a patch, name it in a kustomization, which makes it none of the Applications'
    reasons.push({ reason, field: specPath })
  }
  return manifest['kind'] === 'ApplicationSet' ? [...reasons, ...setReasons(manifest)] : reasons
}

function patchReason(kustomization: string): string {
  return `it is a patch of ${kustomization}; write it for sourceHydrator by hand, together with what it patches`
}

/** True if an object has `sourceHydrator` and no other source. */
export function isHydrated(manifest: Manifest): boolean {
  const spec = objectAt(manifest, ...specPathOf(manifest)) as Manifest
  return hasContent(spec['sourceHydrator']) && !hasContent(spec['source']) && !hasContent(spec['sources'])
}

/** Names the maker of an object, which would make it again. In a file only an owner is one, as labels are written by hand there. */
export function ownerReasons({ manifest, origin }: FoundObject): StayReason[] {
  const [owner] = listAt(manifest, 'metadata', 'ownerReferences')
  if (owner !== undefined) {
    const name = `${textAt(owner, 'kind')} ${textAt(owner, 'name')}`
    return [
      {
        reason: `${name} owns it and would undo the change; import that`,
        field: ['metadata', 'ownerReferences'],
      },
    ]
  }
  if (origin) return []
  const tracked = textAt(manifest, 'metadata', 'annotations', trackingId).split(':')[0] ?? ''
  const tool = textAt(manifest, 'metadata', 'labels', managedBy)
  const maker = tracked === '' ? tool : `Application ${tracked}`
  if (maker === '') return []
  return [
    {
      reason: `${maker} made it and would undo the change; import the files that it is made from`,
      field: ['metadata'],
    },
  ]
}

function setReasons(set: Manifest): StayReason[] {
  const reasons: StayReason[] = []
  if (/\bsources?["']?\s*:/.test(textAt(set, 'spec', 'templatePatch'))) {
    reasons.push({
      reason:
        'its templatePatch changes the source; write that into the template, or change the patch by hand',
      field: ['spec', 'templatePatch'],
    })
  }
  const generators = listAt(set, 'spec', 'generators')
  if (generators.some((generator) => hasOwn(generator, sourcePaths))) {
    reasons.push({
      reason: 'a generator has a template with a source of its own; write it into the template of the set',
      field: ['spec', 'generators'],
    })
  }
  return reasons
}

/** True if something else than the template of a set may decide the names of its Applications. */
export function changesNames(set: Manifest): boolean {
  return (
    /\bmetadata["']?\s*:[^]*\bname["']?\s*:/.test(textAt(set, 'spec', 'templatePatch')) ||
    listAt(set, 'spec', 'generators').some((generator) => hasOwn(generator, [['metadata', 'name']]))
  )
}

const sourcePaths = [
  ['spec', 'source'],
  ['spec', 'sources'],
]

/** True if a generator or one within it has a template with one of these fields. */
function hasOwn(generator: unknown, paths: readonly (readonly string[])[]): boolean {
  if (typeof generator !== 'object' || generator === null) return false
  if (Array.isArray(generator)) return generator.some((one) => hasOwn(one, paths))
  const own = paths.some((path) => valueAt(generator, 'template', ...path) !== undefined)
  return own || Object.values(generator).some((one) => hasOwn(one, paths))
}
