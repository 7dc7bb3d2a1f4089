import { simpleGit } from 'simple-git'
import type { HydrationBed } from '../hydration-bed.ts'
import type { Cost } from '../measurement.ts'
import { changeOneApplication } from '../monorepo/change-monorepo.ts'
import type { MonorepoApplication } from '../monorepo/monorepo-application.ts'
import { runProgram } from '../run-program.ts'

/** Changes the n-th application; returns the changed file. */
export function changeApplication(bed: HydrationBed, n: number): Promise<string> {
  return changeOneApplication(bed.dry.workTree, applicationAt(bed, n), n)
}

/** The n-th application, counted on from the first after the last. */
export function applicationAt({ dry: { applications } }: HydrationBed, n: number): MonorepoApplication {
  const application = applications[n % applications.length]
  if (!application) throw new Error('there are no applications')
  return application
}

/** Commits a change to a branch of its own, which is pushed past the server. */
export async function propose(
  { dry }: HydrationBed,
  branch: string,
  change: () => Promise<string>,
): Promise<string> {
  const git = simpleGit(dry.workTree)
  await git.checkout(['-q', '-B', branch, 'main'])
  await git.add(await change()).commit(`Propose ${branch}`)
  await git.push(dry.bare, branch)
  await git.checkout('main')
  return branch
}

/** Measures a bare push of the same commit to the same server. */
export async function push({ dry, server }: HydrationBed, branch: string): Promise<Cost> {
  const { username, password } = server.credentials
  const url = new URL(dry.url)
  Object.assign(url, { username, password })
  const args = ['-C', dry.workTree, 'push', '--quiet', url.href, `${branch}:refs/heads/pushed-${branch}`]
  return runProgram('git', args, { PATH: process.env['PATH'] ?? '' })
}
