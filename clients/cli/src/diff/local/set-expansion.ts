import { parseApplicationSet } from '@wadi/application-sets/application-set.ts'
import { generateApplications } from '@wadi/application-sets/generate-applications.ts'
import { type RunSources, startRun } from '@wadi/application-sets/generators/start-run.ts'
import { undecidedByGit } from '@wadi/application-sets/generators/undecided-by-git.ts'
import type { DryRepositories } from '@wadi/application-sets/inputs/dry-repositories.ts'
import { openGuard } from '@wadi/application-sets/inputs/input-guard.ts'
import { GeneratorInputs } from '@wadi/application-sets/inputs/run-inputs.ts'
import { createTemplateWork } from '@wadi/application-sets/templates/template-work.ts'
import { ForgeClient } from '@wadi/forges/forge-client.ts'
import { repositoryIdentity } from '@wadi/git/remote/repository-identity.ts'
import { redactUrl } from '@wadi/git/remote/repository-url.ts'
import { TemplateWorkers } from '@wadi/engines/templates/template-workers.ts'
import { findPaths } from '@wadi/file-trees/find-paths.ts'
import { readBoundedFiles } from '@wadi/file-trees/read-bounded-files.ts'
import type { FileTree } from '@wadi/file-trees/file-tree.ts'
import type { Resource } from '@wadi/resources/resource.ts'
import type { DrySide } from './dry-side.ts'

/** The Applications that an ApplicationSet makes of the files of a repository. */
interface ExpandedSet {
  readonly applications: readonly Resource[]
  /** The places of generators that git does not decide. */
  readonly undecided: readonly string[]
}

const limits = { applications: 10_000, bytes: 64 * 1024 * 1024 }
const noStore: RunSources['store'] = {
  get: () => Promise.resolve(undefined),
  list: () => Promise.resolve({ items: [], resourceVersion: '' }),
}

/** Runs the generators of ApplicationSets on this machine, as far as git decides what they make. */
export class SetExpansion implements AsyncDisposable {
  readonly #owned = new AsyncDisposableStack()
  readonly #templateWork = createTemplateWork(this.#owned.use(new TemplateWorkers()))
  readonly #forges = {
    isEnabled: false,
    allowedApis: [],
    client: new ForgeClient({ waitMs: 0, answerMs: 0 }),
  }

  /**
   * The Applications that a set has on one side of a comparison.
   * @throws InvalidInputError for a set or an Application of it that is invalid; FailedPreconditionError for a repository or
   *   revision that is not in the checkout; ResourceExhaustedError
   */
  async expand(object: unknown, side: DrySide): Promise<ExpandedSet> {
    const set = parseApplicationSet(object)
    const undecided = set.generators.flatMap(undecidedByGit)
    const generators = set.generators.filter((entry) => undecidedByGit(entry).length === 0)
    const sources: RunSources & { repoServer: DryRepositories } = {
      store: noStore,
      repoServer: checkoutOf(side),
      urlPolicy: { allowFile: true, allowPlainHttp: 'always' },
      pluginConfigMaps: [],
      templateWork: this.#templateWork,
      forges: this.#forges,
    }
    const { signal } = side
    const inputs = new GeneratorInputs(sources, {
      refresh: false,
      guard: openGuard,
      checksProjectsLater: true,
      signal,
    })
    const account = `${set.namespace}/${set.name}`
    const run = startRun(set, sources, { inputs, account, signal })
    const { applications } = await generateApplications({ ...set, generators }, run, { limits })
    return { applications, undecided }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#owned.disposeAsync()
  }
}

/** Answers what generators ask from one side of a comparison. */
function checkoutOf({ repoUrl, treeAt, signal }: DrySide): DryRepositories {
  const own = repositoryIdentity(repoUrl)
  const trees = new Map<string, FileTree>()
  const treeOf = (sha: string): FileTree => {
    const tree = trees.get(sha)
    if (!tree) throw new Error('a commit is asked for that was not resolved')
    return tree
  }
  return {
    resolveRevisions: async ({ repoUrl: asked, revisions }) => {
      if (repositoryIdentity(asked) !== own) {
        const error = `it is another repository than ${redactUrl(repoUrl)}, which is the only one that is read here`
        return { revisions: revisions.map(() => ({ sha: '', error })) }
      }
      const resolved = revisions.map(async (revision) => {
        const found = await treeAt(revision)
        if (!found)
          return { sha: '', error: `revision ${JSON.stringify(revision)} is not in the checkout; fetch it` }
        trees.set(found.sha, found.tree)
        return { sha: found.sha, error: '' }
      })
      return { revisions: await Promise.all(resolved) }
    },
    listPaths: async ({ sha, ...query }) => {
      const tree = treeOf(sha)
      return { paths: await findPaths(tree, query, signal), treeId: (await tree.entry(''))?.id ?? sha }
    },
    readFiles: async ({ sha, paths }) => ({ contents: await readBoundedFiles(treeOf(sha), paths, signal) }),
  }
}
