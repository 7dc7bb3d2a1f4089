/** The fields of each provider, by kind of generator and provider. */
export const forgeFields: ReadonlyMap<string, ReadonlyMap<string, readonly string[]>> = new Map([
  [
    'scmProvider',
    new Map([
      ['github', words('organization api tokenRef appSecretName allBranches excludeArchivedRepos')],
      [
        'gitlab',
        words(
          'group includeSubgroups includeSharedProjects includeArchivedRepos api tokenRef allBranches topic ' +
            'insecure caRef',
        ),
      ],
      ['gitea', words('owner api tokenRef allBranches insecure excludeArchivedRepos')],
    ]),
  ],
  [
    'pullRequest',
    new Map([
      ['github', words('owner repo api tokenRef appSecretName labels')],
      ['gitlab', words('project api tokenRef labels pullRequestState insecure caRef')],
      ['gitea', words('owner repo api tokenRef insecure labels')],
    ]),
  ],
])

/** The fields of one item of `filters`, by kind of generator. */
export const filterFields: ReadonlyMap<string, readonly string[]> = new Map([
  ['scmProvider', words('repositoryMatch branchMatch labelMatch pathsExist pathsDoNotExist')],
  ['pullRequest', words('branchMatch targetBranchMatch titleMatch')],
])

/** The fields of the references of a provider. */
export const referenceFields: ReadonlyMap<string, readonly string[]> = new Map([
  ['tokenRef', words('secretName key')],
  ['caRef', words('configMapName key')],
])

/** Providers of Argo CD that are not there; each is refused by name. */
export const absentForges: readonly string[] = words(
  'bitbucket bitbucketServer azureDevOps azuredevops awsCodeCommit',
)

/** What is said of a provider that is not there. */
export function absentForge(name: string): string {
  return `the provider "${name}" is not supported; supported are github, gitlab and gitea`
}

function words(text: string): string[] {
  return text.split(' ')
}
