import { mkdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { seededRandom } from '@wadi/testing/seeded-random.ts'
import { directoryApplications } from './directory-applications.ts'
import type { MonorepoOptions } from './generate-monorepo.ts'
import type { MonorepoApplication } from './monorepo-application.ts'

/** Writes a repository of plain directories in which each application has a hydrated branch of its own. */
export async function generateBranches({
  directory,
  applications: count,
  seed = 42,
}: MonorepoOptions): Promise<MonorepoApplication[]> {
  const { files, applications } = directoryApplications(count, seededRandom(seed))
  for (const [file, text] of [...files, ['README.md', 'Edition 0\n'] as const]) {
    await mkdir(path.dirname(path.join(directory, file)), { recursive: true })
    await writeFile(path.join(directory, file), text)
  }
  return applications.map((application) => ({ ...application, branch: `deploy/${application.name}` }))
}
