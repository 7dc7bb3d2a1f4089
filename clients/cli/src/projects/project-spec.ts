import type { JsonObject, JsonValue } from '@bufbuild/protobuf'
import { isJsonObject } from '@wadi/fields/json-object.ts'
import { CommandFailure } from '../command-line/command-failure.ts'
import { listAt, textAt } from '@wadi/fields/json-fields.ts'

/** The flags of `proj create` and `proj set` that lead to a spec. */
export interface SpecFlags {
  description?: string
  dest?: string[]
  src?: string[]
  sourceNamespaces?: string[]
}

/** A destination of a project. */
export interface ProjectDestination {
  /** Empty when the cluster is named. */
  server: string
  name: string
  namespace: string
}

/**
 * Returns the spec with what the flags give; a list that a flag gives replaces the whole list.
 * @throws CommandFailure with exit code 1 for a destination that is none
 */
export function withSpecFlags(spec: JsonObject, flags: SpecFlags): JsonObject {
  return {
    ...spec,
    ...(flags.description !== undefined && { description: flags.description }),
    ...(flags.dest && { destinations: flags.dest.map((text) => destinationObject(parseDestination(text))) }),
    ...(flags.src && { sourceRepos: flags.src }),
    ...(flags.sourceNamespaces && {
      sourceNamespaces: flags.sourceNamespaces.flatMap((names) => names.split(',')),
    }),
  }
}

/** The destination as the object of a project holds it. */
export function destinationObject({ server, name, namespace }: ProjectDestination): JsonObject {
  return { ...(server !== '' && { server }), ...(name !== '' && { name }), namespace }
}

/** Reads `SERVER,NAMESPACE`, as argocd has it; a server that is neither a URL nor a pattern is the name of a cluster. */
function parseDestination(text: string): ProjectDestination {
  const [cluster = '', namespace, ...rest] = text.split(',')
  if (cluster === '' || namespace === undefined || rest.length > 0) {
    throw new CommandFailure(`--dest takes SERVER,NAMESPACE, not ${JSON.stringify(text)}`, 1)
  }
  return { ...(isServer(cluster) ? { server: cluster, name: '' } : { server: '', name: cluster }), namespace }
}

/** Returns true if the text is an address or a pattern of addresses, rather than the name of a cluster. */
function isServer(cluster: string): boolean {
  return cluster.includes('://') || /^!?\*/.test(cluster)
}

/** Returns the texts of a list of the spec. */
export function textsAt(spec: JsonValue | undefined, ...path: readonly string[]): string[] {
  return listAt(spec, ...path).filter((item) => typeof item === 'string')
}

/** Returns the objects of a list of the spec. */
export function objectsAt(spec: JsonValue | undefined, ...path: readonly string[]): JsonObject[] {
  return listAt(spec, ...path).filter(isJsonObject)
}

/** Returns a destination as `SERVER,NAMESPACE`, or with the name of the cluster when it has no address. */
export function destinationText(destination: JsonValue): string {
  return `${textAt(destination, 'server') || textAt(destination, 'name')},${textAt(destination, 'namespace')}`
}
