import type { JsonObject, JsonValue } from '@bufbuild/protobuf'
import { listAt, objectAt, textAt } from '@wadi/fields/json-fields.ts'
import { isJsonObject } from '@wadi/fields/json-object.ts'
import { copiedObject } from '../../../words/edited-application.ts'
import { editableObject } from '../../../words/object-text.ts'

/** A cluster and namespace that a project permits, as patterns. */
export interface Destination {
  server: string
  name: string
  namespace: string
}

/** The beginning of a new project, which permits nothing yet. */
export const newProject: JsonObject = {
  apiVersion: 'argoproj.io/v1alpha1',
  kind: 'AppProject',
  metadata: { name: '' },
  spec: { description: '', sourceRepos: [], destinations: [] },
}

/** Returns a project as its author edits it: without what the server owns, such as the tokens of its roles. */
export function editedProject(stored: JsonObject): JsonObject {
  const project = editableObject(stored)
  const { spec } = project
  if (!isJsonObject(spec) || !Array.isArray(spec['roles'])) return project
  const roles = spec['roles'].map((role) => {
    if (!isJsonObject(role)) return role
    const { jwtTokens: _tokens, ...own } = role
    return own
  })
  return { ...project, spec: { ...spec, roles } }
}

/** Returns what was typed as a change of a stored project. */
export function changedProject(typed: JsonObject, stored: JsonObject): JsonObject {
  const resourceVersion = textAt(stored, 'metadata', 'resourceVersion')
  return {
    ...typed,
    metadata: { ...objectAt(typed, 'metadata'), ...(resourceVersion !== '' && { resourceVersion }) },
  }
}

/** Returns a project like another one; the rules of its roles speak of the copy. */
export function copiedProject(stored: JsonObject): JsonObject {
  const copy = editedProject(copiedObject(stored))
  const original = { ...copy, metadata: { ...objectAt(copy, 'metadata'), name: nameOf(stored) } }
  return renamedProject(original, `${nameOf(stored)}-copy`, original)
}

/**
 * Returns a project under another name; the rules of its roles, which name it, follow.
 * @param began the project before it was edited: its rules are renamed from its name, whatever names were typed since; rules of one's own stay
 */
export function renamedProject(project: JsonObject, name: string, began: JsonObject): JsonObject {
  const roles = listAt(project, 'spec', 'roles').map((role, place) => {
    if (!isJsonObject(role) || !Array.isArray(role['policies'])) return role
    const rules = listAt(listAt(began, 'spec', 'roles')[place], 'policies')
    const policies = role['policies'].map((line, index) => {
      const rule = rules[index] ?? line
      const isOwn = line !== renamedRule(rule, nameOf(began), nameOf(project))
      return isOwn ? line : renamedRule(rule, nameOf(began), name)
    })
    return { ...role, policies }
  })
  return {
    ...project,
    metadata: { ...objectAt(project, 'metadata'), name },
    spec: { ...objectAt(project, 'spec'), ...(roles.length > 0 && { roles }) },
  }
}

/** `p, proj:dev:ci, applications, get, dev/*, allow` */
function renamedRule(line: JsonValue, before: string, name: string): JsonValue {
  if (typeof line !== 'string' || before === '') return line
  return line
    .split(',')
    .map((part) => {
      const field = part.trim()
      const indent = part.slice(0, part.length - part.trimStart().length)
      if (field.startsWith(`proj:${before}:`))
        return `${indent}proj:${name}:${field.slice(before.length + 6)}`
      if (field.startsWith(`${before}/`)) return `${indent}${name}/${field.slice(before.length + 1)}`
      return part
    })
    .join(',')
}

/** Returns a project with another value of a field of its spec. */
export function withField(project: JsonObject, field: string, value: JsonValue): JsonObject {
  return { ...project, spec: { ...objectAt(project, 'spec'), [field]: value } }
}

/** The name of a project. */
export function nameOf(project: JsonObject): string {
  return textAt(project, 'metadata', 'name')
}

/** The repositories that a project permits, as patterns. */
export function repositoriesOf(project: JsonObject): string[] {
  return listAt(project, 'spec', 'sourceRepos').filter((url) => typeof url === 'string')
}

/** The destinations that a project permits. */
export function destinationsOf(project: JsonObject): Destination[] {
  return listAt(project, 'spec', 'destinations').map((place) => ({
    server: textAt(place, 'server'),
    name: textAt(place, 'name'),
    namespace: textAt(place, 'namespace'),
  }))
}

/** Returns destinations as the object has them: without empty fields. */
export function destinationObjects(destinations: readonly Destination[]): JsonObject[] {
  return destinations.map((place) =>
    Object.fromEntries(Object.entries(place).filter(([, text]) => text !== '')),
  )
}
