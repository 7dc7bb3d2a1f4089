import { mkdir, symlink } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { JsonObject } from '@bufbuild/protobuf'
import { isSettled } from '../gateway-fixture.ts'
import type { HydrationFixture } from '../hydration-fixture.ts'
import type { RepositoryFixture } from '../repository-fixture.ts'

/** The outcome of one Application. */
export interface Outcome {
  phase: string
  message: string
  /** The contents of `manifest.yaml` on its branch; empty without a branch. */
  manifest: string
}

/** Hydrates an Application for each directory of a repository, each to a branch of its own. */
export async function hydrateEach(
  fixture: HydrationFixture,
  repository: RepositoryFixture,
  directories: readonly string[],
  source: JsonObject = {},
): Promise<Map<string, Outcome>> {
  for (const name of directories) {
    await fixture.apply({ name, repoURL: repository.url, branch: `attacks/${name}`, source })
  }
  const outcomes = new Map<string, Outcome>()
  for (const name of directories) {
    const { currentOperation } = await fixture.waitFor(name, isSettled)
    const branch = `attacks/${name}`
    const isThere = (await repository.head(branch)) !== ''
    outcomes.set(name, {
      phase: currentOperation?.phase ?? '',
      message: currentOperation?.message ?? '',
      manifest: isThere ? await repository.read(branch, `${name}/manifest.yaml`) : '',
    })
  }
  return outcomes
}

/** Commits symlinks to `main`, by their paths, and pushes. */
export async function pushLinks(
  repository: RepositoryFixture,
  links: Readonly<Record<string, string>>,
): Promise<void> {
  const { directory, git } = repository.dry
  for (const [path, target] of Object.entries(links)) {
    await mkdir(dirname(join(directory, path)), { recursive: true })
    await symlink(target, join(directory, path))
  }
  await git.raw(['add', '--all'])
  await git.raw(['commit', '--quiet', '--message', 'Add links'])
  await git.push([repository.directory, 'HEAD:main'])
}
