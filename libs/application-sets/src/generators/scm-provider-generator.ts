import { FieldReader } from '@wadi/fields/field-reader.ts'
import { openForge, requireAllowedForge } from '../forges/forge-access.ts'
import type { CloneProtocol } from '@wadi/forges/forge-answers.ts'
import { checkRequeue, chosenForge, readForgeOptions } from '../forges/forge-options.ts'
import { normalizedName } from '../params/normalized-name.ts'
import type { ParameterSet } from '../params/parameter-set.ts'
import type { GeneratorRun } from './generator-run.ts'
import { readScmProviderFilters } from './scm-provider-filters.ts'
import { type FoundBranch, filteredBranches } from './scm-provider-repositories.ts'
import { withTemplatedValues } from './templated-values.ts'

/**
 * One parameter set for each repository of an organisation, group or owner of a forge, with
 * `allBranches` for each of their branches, as far as `filters` take it. Every repository has to be one that may be read.
 * @throws InvalidInputError, FailedPreconditionError, PermissionDeniedError, and what asking the forge throws
 */
export async function scmProviderParameters(
  fields: Record<string, unknown>,
  path: string,
  run: GeneratorRun,
): Promise<ParameterSet[]> {
  const reader = new FieldReader(path)
  const none = 'no SCM provider implementation configured'
  const chosen = chosenForge(reader, fields, { kind: 'repositories', none })
  const { source, options } = chosen
  const access = readForgeOptions(reader, chosen)
  const filters = readScmProviderFilters(reader, fields)
  const open = source.read(reader, options, `${source.field}.`)
  const cloneProtocol = readCloneProtocol(reader, fields)
  checkRequeue(reader, fields)
  reader.throwFindings()
  const { forges, store, namespace, project, inputs } = run
  requireAllowedForge(forges, access)
  const found = await inputs.answer({
    key: {
      kind: run.kind,
      subjects: [namespace, options, source.field, fields['filters'] ?? [], cloneProtocol],
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
