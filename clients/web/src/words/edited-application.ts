import type { JsonObject } from '@bufbuild/protobuf'
import { objectAt, textAt } from '@wadi/fields/json-fields.ts'
import { isJsonObject } from '@wadi/fields/json-object.ts'
import { editableObject } from './object-text.ts'
import { t } from '../language/t.ts'

/** The annotations by which a hydration or a refresh is asked for; they come and go while somebody edits. */
const requests = /^argocd\.argoproj\.io\/(?:hydrate|refresh)(?:-timestamp)?$/

const lastApplied = 'kubectl.kubernetes.io/last-applied-configuration'

/** An Application as its author edits it: without what the server owns and what asks for a hydration. */
export function editedApplication(stored: JsonObject): JsonObject {
  const { metadata, ...rest } = editableObject(stored)
  if (!isJsonObject(metadata)) return { ...rest, metadata: {} }
  const { annotations, ownerReferences: _owners, ...own } = metadata
  const kept = isJsonObject(annotations)
    ? Object.entries(annotations).filter(([key]) => !requests.test(key))
    : []
  return {
    ...rest,
    metadata: { ...own, ...(kept.length > 0 && { annotations: Object.fromEntries(kept) }) },
  }
}

/** Returns what was typed as a change of a stored Application, with its version and what is asked of it. */
export function changedApplication(typed: JsonObject, stored: JsonObject): JsonObject {
  const { metadata, ...rest } = typed
  const asked = Object.entries(objectAt(stored, 'metadata', 'annotations')).filter(([key]) =>
    requests.test(key),
  )
  const annotations = { ...objectAt(typed, 'metadata', 'annotations'), ...Object.fromEntries(asked) }
  return {
    ...rest,
    metadata: {
      ...(isJsonObject(metadata) && metadata),
      annotations,
      resourceVersion: textAt(stored, 'metadata', 'resourceVersion'),
    },
  }
}

/** Returns what keeps a text from being a change of an Application; empty for nothing. */
export function nameError(typed: JsonObject, stored: JsonObject): string {
  const [now, before] = [typed, stored].map((object) => [
    textAt(object, 'metadata', 'namespace'),
    textAt(object, 'metadata', 'name'),
  ])
  if (now?.[1] !== before?.[1] || (now?.[0] !== '' && now?.[0] !== before?.[0]))
    return t('The name and the namespace of an Application cannot be changed; copy it instead')
  return ''
}

/** Returns an object like another one, with a name of its own and without what belongs to that one alone. */
export function copiedObject(stored: JsonObject): JsonObject {
  const { metadata, ...rest } = editedApplication(stored)
  const own = isJsonObject(metadata) ? metadata : {}
  const { finalizers: _finalizers, annotations, ...described } = own
  const { [lastApplied]: _applied, ...kept } = isJsonObject(annotations) ? annotations : {}
  const name = `${textAt(stored, 'metadata', 'name')}-copy`
  return {
    ...rest,
    metadata: { ...described, name, ...(Object.keys(kept).length > 0 && { annotations: kept }) },
  }
}

/** Returns an Application like another one, with a name and a hydrated directory of its own. */
export function copiedApplication(stored: JsonObject): JsonObject {
  const { spec, ...rest } = copiedObject(stored)
  return { ...rest, spec: withOwnDirectory(isJsonObject(spec) ? spec : {}) }
}

/** Two Applications cannot write one directory. */
function withOwnDirectory(spec: JsonObject): JsonObject {
  const { sourceHydrator } = spec
  if (!isJsonObject(sourceHydrator) || !isJsonObject(sourceHydrator['syncSource'])) return spec
  const path = textAt(spec, 'sourceHydrator', 'syncSource', 'path')
  const syncSource = { ...sourceHydrator['syncSource'], path: `${path}-copy` }
  return { ...spec, sourceHydrator: { ...sourceHydrator, syncSource } }
}
