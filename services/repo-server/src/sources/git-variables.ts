import { credentialVariables } from '@wadi/git/remote/credentials.ts'
import { parseRepositoryUrl, type UrlPolicy } from '@wadi/git/remote/repository-url.ts'
import type { PluginVariable } from '@wadi/rendering/renderers/plugin/plugins.ts'
import { selectSecret } from '@wadi/repositories/repository-credentials.ts'
import type { RepositoryStore } from '@wadi/repositories/repository-store.ts'

/** Returns the read credentials of a repository as variables. */
export type GitVariables = (
  repository: { repoUrl: string; project: string },
  signal: AbortSignal,
) => Promise<readonly PluginVariable[]>

/**
 * The read credentials of one dry repository as variables for a plugin that wants them. They hold for the URL of this
 * repository alone; a repository over SSH has none, as its key is a file of this machine.
 */
export async function gitVariables(
  repositories: RepositoryStore,
  policy: UrlPolicy,
  { repoUrl, project }: { repoUrl: string; project: string },
  signal: AbortSignal,
): Promise<readonly PluginVariable[]> {
  const remote = parseRepositoryUrl(repoUrl, policy)
  const secret = selectSecret(await repositories.list(), remote.text, project)
  return secret === undefined
    ? []
    : credentialVariables(await repositories.credentialsOf(secret, signal), remote)
}
