import { FieldReader } from '@wadi/fields/field-reader.ts'
import { openForge, requireAllowedForge } from '../forges/forge-access.ts'
import type { CloneProtocol, RepositorySource } from '@wadi/forges/forge-answers.ts'
import type { ForgeApi } from '@wadi/forges/forge-api.ts'
import { type ForgeOptions, checkRequeue, chosenForge, readForgeOptions } from '../forges/forge-options.ts'
import { giteaRepositories } from '@wadi/forges/gitea.ts'
import { githubRepositories } from '@wadi/forges/github.ts'
import { gitlabRepositories } from '@wadi/forges/gitlab.ts'
import { normalizedName } from '../params/normalized-name.ts'
import type { ParameterSet } from '../params/parameter-set.ts'
import type { GeneratorRun } from './generator-run.ts'
import { readScmProviderFilters } from './scm-provider-filters.ts'
import { type FoundBranch, filteredBranches } from './scm-provider-repositories.ts'
import { withTemplatedValues } from './templated-values.ts'

/**
 * One parameter set for each repository of an organisation, group or owner of GitHub, GitLab, Gitea or Forgejo, with
 * `allBranches` for each of their branches, as far as `filters` take it. Every repository has to be one that may be read.
 * @throws InvalidInputError, FailedPreconditionError, PermissionDeniedError, and what asking the forge throws
 */
export async function scmProviderParameters(
  fields: Record<string, unknown>,
  path: string,
  run: GeneratorRun,
): Promise<ParameterSet[]> {
  const reader = new FieldReader(path)
  const { forge, options } = chosenForge(reader, fields, 'no SCM provider implementation configured')
  const access = readForgeOptions(reader, forge, options)
  const filters = readScmProviderFilters(reader, fields)
  const open = readRepositories(reader, access, options)
  const cloneProtocol = readCloneProtocol(reader, fields)
  checkRequeue(reader, fields)
  reader.throwFindings()
  const { forges, store, namespace, project, inputs } = run
  requireAllowedForge(forges, access)
  const found = await inputs.answer({
    key: {
      kind: 'scmProvider',
      subjects: [namespace, options, forge, fields['filters'] ?? [], cloneProtocol],
    },
    ask: async (signal) =>
      filteredBranches(
        open(await openForge(forges, access, { store, namespace, project }, signal)),
        filters,
        cloneProtocol,
      ),
  })
  for (const url of new Set(found.map((branch) => branch.url))) await inputs.nameRepository(url, run.project)
  const sets: ParameterSet[] = []
  for (const branch of found) {
    await run.pace()
    const origin = `${path}: repository ${branch.organization}/${branch.repository}, branch ${branch.branch}`
    run.budget.add(
      sets,
      await withTemplatedValues({ origin, values: valuesOf(branch) }, fields['values'], run),
    )
  }
  return sets
}

function valuesOf({ organization, repository, repositoryId, url, branch, sha, labels }: FoundBranch) {
  return {
    organization,
    repository,
    // A text, as a number of this size would be printed with an exponent.
    repository_id: repositoryId,
    url,
    branch,
    branchNormalized: normalizedName(branch),
    sha,
    short_sha: sha.slice(0, 8),
    short_sha_7: sha.slice(0, 7),
    labels: labels.join(','),
  }
}

function readCloneProtocol(reader: FieldReader, fields: Record<string, unknown>): CloneProtocol {
  const protocol = reader.string(fields, 'cloneProtocol', '') || 'ssh'
  if (protocol === 'ssh' || protocol === 'https') return protocol
  reader.report(`cloneProtocol: unknown clone protocol ${JSON.stringify(protocol)}; ssh and https are known`)
  return 'ssh'
}

function readRepositories(
  reader: FieldReader,
  { forge }: ForgeOptions,
  options: Record<string, unknown>,
): (api: ForgeApi) => RepositorySource {
  const at = `${forge}.`
  const allBranches = reader.boolean(options, 'allBranches', at) ?? false
  if (forge === 'gitlab') {
    const selection = {
      allBranches,
      group: reader.requiredString(options, 'group', at),
      topic: reader.string(options, 'topic', at) ?? '',
      includeSubgroups: reader.boolean(options, 'includeSubgroups', at) ?? false,
      // The one flag of Argo CD that is on unless it is switched off.
      includeSharedProjects: reader.boolean(options, 'includeSharedProjects', at) ?? true,
      includeArchivedRepos: reader.boolean(options, 'includeArchivedRepos', at) ?? false,
    }
    return (api) => gitlabRepositories(api, selection)
  }
  const excludeArchivedRepos = reader.boolean(options, 'excludeArchivedRepos', at) ?? false
  if (forge === 'gitea') {
    const owner = reader.requiredString(options, 'owner', at)
    return (api) => giteaRepositories(api, { allBranches, owner, excludeArchivedRepos })
  }
  const organization = reader.requiredString(options, 'organization', at)
  return (api) => githubRepositories(api, { allBranches, organization, excludeArchivedRepos })
}
