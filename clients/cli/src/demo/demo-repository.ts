import { join } from 'node:path'
import type { GitHttpServer } from '@wadi/testing/git-http-server.ts'
import { type SimpleGit, simpleGit } from 'simple-git'
import { type SampleApplication, touchOneRegion, writeSampleRepository } from './sample-repository.ts'

/** The demo's repository: a work tree for the developer and the bare one that the git server serves. */
export interface DemoRepository {
  url: string
  workTree: string
  applications: SampleApplication[]
  /** Commits and pushes a change to one region; returns the commit and what it did. */
  changeOneRegion(): Promise<{ sha: string; what: string }>
  /** The commits of a branch, the newest first. */
  commits(branch: string): Promise<string[]>
  /** The files that a commit changed. */
  changedFiles(commit: string): Promise<string[]>
}

/** Makes the sample repository, commits it and pushes it to the server. */
export async function createDemoRepository(
  server: GitHttpServer,
  directory: string,
): Promise<DemoRepository> {
  const { url, directory: bare } = await server.createRepository('platform.git')
  const workTree = join(directory, 'platform')
  const applications = await writeSampleRepository(workTree)
  const git = simpleGit(workTree)
  await git.init(['--initial-branch=main'])
  await git.addConfig('user.name', 'Dana Developer').addConfig('user.email', 'dana@example.com')
  await commitAll(git, 'Describe the storefront and its platform')
  // The developer pushes through the file system; Wadi knows the repository by its HTTP address alone.
  await git.addRemote('origin', bare)
  await git.push('origin', 'main')
  const served = simpleGit(bare)
  return {
    url,
    workTree,
    applications,
    async changeOneRegion() {
      const { what } = await touchOneRegion(workTree)
      const sha = await commitAll(git, what)
      await git.push('origin', 'main')
      return { sha, what }
    },
    async commits(branch) {
      return lines(await served.raw(['log', '--format=%H', `refs/heads/${branch}`, '--']))
    },
    async changedFiles(commit) {
      return lines(await served.raw(['diff-tree', '--no-commit-id', '--name-only', '-r', '--root', commit]))
    },
  }
}

async function commitAll(git: SimpleGit, message: string): Promise<string> {
  await git.add('.')
  await git.commit(message)
  return (await git.revparse(['HEAD'])).trim()
}

function lines(text: string): string[] {
  return text.split('\n').filter(Boolean)
}
