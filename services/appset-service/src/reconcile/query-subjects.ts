import { generatorKinds } from '@wadi/application-sets/generators/generator-kinds.ts'
import { mentions, mentionsRepository, type QueryKey } from '@wadi/application-sets/inputs/query-key.ts'

/** Returns true if an event about a repository, by its identity, may change the answer to a query. */
export function isAboutRepository(key: QueryKey, repository: string): boolean {
  return generatorKinds.get(key.kind)?.followsRepositories === true && mentionsRepository(key, repository)
}

/** Returns true if a query was asked with what a ConfigMap of this name sets. */
export function isAskedBy(key: QueryKey, configMap: string): boolean {
  return generatorKinds.get(key.kind)?.hasConfigMap === true && mentions(key, configMap)
}
