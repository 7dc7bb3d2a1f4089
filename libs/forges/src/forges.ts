import { azureDevOps } from './azure-devops/azure-devops-forge.ts'
import { bitbucket } from './bitbucket/bitbucket-forge.ts'
import { bitbucketServer } from './bitbucket-server/bitbucket-server-forge.ts'
import type { Forge } from './forge.ts'
import { gitea } from './gitea/gitea-forge.ts'
import { github } from './github/github-forge.ts'
import { gitlab } from './gitlab/gitlab-forge.ts'

/** All kinds of forges, in the order in which a host is compared with theirs. */
export const forges: readonly Forge[] = [github, gitlab, gitea, bitbucket, bitbucketServer, azureDevOps]

/** Names that the field `forge` of a Secret may have. */
export const forgeNames: readonly string[] = forges.flatMap(({ name, aliases = [] }) => [name, ...aliases])

/** Returns the forge with a name or alias. */
export function forgeNamed(name: string): Forge | undefined {
  return forges.find((forge) => forge.name === name || forge.aliases?.includes(name))
}
