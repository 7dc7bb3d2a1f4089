import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import type { Effort } from '../effort.ts'
import type { HydrationBed } from '../hydration-bed.ts'
import { atMost, type Cost, costText, type Measurement, median } from '../measurement.ts'
import { runGit } from '../run-git.ts'
import { runProgram } from '../run-program.ts'
import { pushChangeOf } from './change-hydration.ts'
import { hydrateAll } from './hydrate-all.ts'

const verifyBar = 3
const standardCommits = 1_000
const standardVerifications = 5

/** Dry commits of one run of the mesh, so that one that hangs is found soon. */
const commitsOfRun = 50

const launcher = path.join(import.meta.dirname, '../../../wadi')

/**
 * Verifies a branch with many hydrated commits in a clone, in turns with git, which verifies the signatures alone.
 * @param bed one with a single branch, which is not hydrated yet
 * @param publicKey that of its commit-server, as a line of SSH
 */
export async function measureVerification(
  bed: HydrationBed,
  directory: string,
  publicKey: string,
  effort: Effort,
): Promise<Measurement[]> {
  const [{ branch } = { branch: '' }] = bed.dry.applications
  await hydrateCommits(bed, effort.applications(standardCommits))
  const environment = { PATH: process.env['PATH'] ?? '', HOME: directory, GIT_CONFIG_NOSYSTEM: '1' }
  const keys = path.join(directory, 'allowed-signers')
  await writeFile(keys, `argo-cd@example.com ${publicKey}\n`)
  const clone = path.join(directory, 'clone')
  await runGit(['clone', '--quiet', '--mirror', bed.dry.bare, clone], environment)
  const commits = String(await runGit(['-C', clone, 'rev-list', '--count', branch], environment)).trim()
  const verify = ['verify', branch, '--key', keys, '--repo', clone, '--repo-url', bed.dry.url]
  const log = ['-C', clone, '-c', `gpg.ssh.allowedSignersFile=${keys}`, 'log', '--show-signature', branch]
  const costs: { wadi: Cost[]; git: Cost[] } = { wadi: [], git: [] }
  for (let round = 0; round <= effort.rounds(standardVerifications); round++) {
    const wadi = await runProgram(launcher, verify, environment)
    const git = await runProgram('git', log, environment)
    // The first one compiles what the command line needs.
    if (round === 0) continue
    costs.wadi.push(wadi)
    costs.git.push(git)
  }
  const [wadi, git] = [median(costs.wadi), median(costs.git)]
  const basis = `${costText(wadi)}; git log --show-signature: ${costText(git)}`
  const name = `wadi verify, ${commits} hydrated commits`
  return [atMost(name, wadi.wall / git.wall, '× git log --show-signature', verifyBar, basis)]
}

/** Gives the branch so many hydrated commits, each of one dry commit. */
async function hydrateCommits(bed: HydrationBed, commits: number): Promise<void> {
  const { gateway, dry, branches } = bed
  await gateway.resources.applyResource({
    resource: {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: 'argocd-cm', namespace: 'argocd' },
      data: { 'sourceHydrator.lineage': 'every' },
    },
  })
  await hydrateAll(bed)
  const [application] = dry.applications
  if (application === undefined) throw new Error('there are no applications')
  const pushSome = async (from: number, to: number): Promise<string> => {
    let head = ''
    for (let n = from; n < to; n++) head = await pushChangeOf(bed, application, n)
    return head
  }
  for (let n = 1; n < commits; n += commitsOfRun) {
    await bed.hydrate(
      () => pushSome(n, Math.min(n + commitsOfRun, commits)),
      (drySha) => branches.noted(drySha),
    )
  }
}
