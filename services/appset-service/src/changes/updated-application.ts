import { isJsonObject } from '@wadi/fields/json-object.ts'
import { withoutUndefined } from '@wadi/fields/without-undefined.ts'
import { writtenForRequests } from '@wadi/resources/application/hydration-request.ts'
import { checkedResource } from '@wadi/resources/object-checks.ts'
import type { Resource } from '@wadi/resources/resource.ts'
import type { ApplicationSet } from '@wadi/application-sets/application-set.ts'
import { withKeptValues } from './kept-values.ts'

type Fields = Record<string, unknown>
type TextMap = Record<string, string>

/** The annotations that others write on Applications of every set. */
const preservedAnnotations = ['notified.notifications.argoproj.io', ...writtenForRequests]

/** The prefixes of finalizers of hooks, which come and go with the hooks of a revision. */
const hookFinalizers = ['pre-delete-finalizer.argocd.argoproj.io', 'post-delete-finalizer.argocd.argoproj.io']

/**
 * Returns the object to store for a generated Application that exists already: `spec`, labels, annotations and finalizers as generated,
 * and the rest as it is. The set's `preservedFields`, what Argo CD writes on
 * Applications and finalizers of deletion hooks stay, and so does what the set's `ignoreApplicationDifferences` name in
 * `spec`, labels, annotations and finalizers. The project is the generated one in any case.
 */
export function updatedApplication(
  existing: Resource,
  generated: Resource,
  { preservedFields, ignoredDifferences }: Pick<ApplicationSet, 'preservedFields' | 'ignoredDifferences'>,
): Resource {
  const { name } = generated.metadata
  const before = decidedFields(existing)
  const generatedFields = decidedFields(generated)
  const { labels, annotations, finalizers } = generatedFields.metadata
  const decided = {
    metadata: withoutUndefined({
      labels: withPreserved(labels, before.metadata.labels, preservedFields.labels),
      annotations: withPreserved(annotations, before.metadata.annotations, [
        ...preservedAnnotations,
        ...preservedFields.annotations,
      ]),
      finalizers: withHookFinalizers(finalizers, before.metadata.finalizers),
    }),
    spec: generatedFields.spec,
  }
  const kept = ignoredDifferences
    .filter((difference) => difference.name === undefined || difference.name === name)
    .flatMap(({ places }) => places)
    .reduce<unknown>((result, place) => withKeptValues(before, result, place), decided)
  const { metadata, spec } = isJsonObject(kept) ? kept : {}
  const { labels: _l, annotations: _a, finalizers: _f, ...others } = existing.metadata
  return checkedResource({
    ...existing,
    metadata: { ...others, ...(isJsonObject(metadata) && metadata) },
    spec: withProjectOf(isJsonObject(spec) ? spec : {}, generated.spec),
  })
}

/** Returns the fields that a set decides of an existing Application. */
function decidedFields({ metadata: { labels, annotations, finalizers }, spec }: Resource) {
  return { metadata: withoutUndefined({ labels, annotations, finalizers }), spec: spec ?? {} }
}

function withPreserved(
  generated: TextMap | undefined,
  before: TextMap = {},
  keys: readonly string[],
): TextMap | undefined {
  const preserved = keys.filter((key) => Object.hasOwn(before, key)).map((key) => [key, before[key]])
  return preserved.length === 0 ? generated : { ...generated, ...Object.fromEntries(preserved) }
}

function withHookFinalizers(
  generated: readonly string[] | undefined,
  before: readonly string[] = [],
): readonly string[] | undefined {
  const kept = before.filter((finalizer) => hookFinalizers.some((prefix) => finalizer.startsWith(prefix)))
  return kept.length === 0 ? generated : [...new Set([...(generated ?? []), ...kept])]
}

function withProjectOf(spec: Fields, { project }: Fields = {}): Fields {
  const { project: _, ...rest } = spec
  return project === undefined ? rest : { ...rest, project }
}
