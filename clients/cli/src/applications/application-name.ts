import { CommandFailure } from '../command-line/command-failure.ts'
import { textAt } from '@wadi/fields/json-fields.ts'
import type { JsonObject } from '@bufbuild/protobuf'

/** The identity of an Application; an empty namespace means the server's own. */
export interface QualifiedName {
  namespace: string
  name: string
}

/**
 * Reads `name` or `namespace/name`; a namespace in the name wins over the one of `--app-namespace`.
 * @throws CommandFailure when it has an empty part or more than two.
 */
export function parseQualifiedName(text: string, appNamespace: string | undefined): QualifiedName {
  const parts = text.split('/')
  const [first = '', second] = parts
  if (parts.length > 2 || parts.includes('')) {
    throw new CommandFailure(`${JSON.stringify(text)} is not a name; write NAME or NAMESPACE/NAME`)
  }
  return second === undefined
    ? { namespace: appNamespace ?? '', name: first }
    : { namespace: first, name: second }
}

/** `namespace/name` of an Application, or the bare name when it has no namespace. */
export function qualifiedName(application: JsonObject): string {
  const namespace = textAt(application, 'metadata', 'namespace')
  const name = textAt(application, 'metadata', 'name')
  return namespace === '' ? name : `${namespace}/${name}`
}
