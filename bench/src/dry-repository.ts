import path from 'node:path'
import { type SimpleGit, simpleGit } from 'simple-git'
import type { BedServer } from './bed-server.ts'
import type { MonorepoOptions } from './monorepo/generate-monorepo.ts'
import type { MonorepoApplication } from './monorepo/monorepo-application.ts'

/** The generated monorepo: a work tree and the bare repository that the git server serves. */
export interface DryRepository {
  /** The address at which the mesh reaches it. */
  readonly url: string
  readonly bare: string
  readonly workTree: string
  readonly applications: readonly MonorepoApplication[]
  /** Commits one file, or everything, and pushes it; returns the commit. */
  push(message: string, file?: string): Promise<string>
}

/** Writes the files of a repository and returns its applications. */
export type MonorepoGenerator = (options: MonorepoOptions) => Promise<MonorepoApplication[]>

/** Keeps the server from tidying up in the middle of a measurement. */
const quiet = { 'gc.auto': '0', 'receive.autogc': 'false' }

/** Generates a monorepo and makes an empty repository for it; the first push brings it there. */
export async function makeDryRepository(
  bed: BedServer,
  directory: string,
  applications: number,
  generate: MonorepoGenerator,
): Promise<DryRepository> {
  const workTree = path.join(directory, 'monorepo')
  const { url, directory: bare } = await bed.server.createRepository('bench/monorepo.git', { config: quiet })
  const generated = await generate({ directory: workTree, applications })
  const git = simpleGit(workTree)
  await git.init(['--initial-branch=main'])
  await git.addConfig('user.name', 'Dana Developer').addConfig('user.email', 'dana@example.com')
  await git.addConfig('gc.auto', '0')
  await git.add('.')
  await git.addRemote('origin', bare)
  return {
    url: bed.reachedAt(url),
    bare,
    workTree,
    applications: generated,
    push: (message, file) => push(git, message, file),
  }
}

async function push(git: SimpleGit, message: string, file: string | undefined): Promise<string> {
  if (file !== undefined) await git.add(file)
  await git.commit(message)
  await git.push('origin', 'main')
  return (await git.revparse(['HEAD'])).trim()
}
