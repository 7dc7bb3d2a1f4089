import { mkdir } from 'node:fs/promises'
import path from 'node:path'
import type { Tools } from '@wadi/renderer-tools/find-tools.ts'
import { commandsOf, runCommand } from './bare-renderers.ts'
import type { HydrationBed } from './hydration-bed.ts'
import type { Cost } from './measurement.ts'
import type { MonorepoApplication } from './monorepo/monorepo-application.ts'
import { endedChildrenCpuSeconds } from './process-tree.ts'
import { gitEnvironment, runGit } from './run-git.ts'

/** The costs of the programs alone for the newest dry commit, which the mesh has hydrated: each step with what it needs already there. */
export interface BareGit {
  /** Fetches the dry commit, renders one application, imports the commit of its branch and pushes it. */
  change(application: MonorepoApplication): Promise<Cost>
  /** Fetches the dry commit, imports the commit of the notes and pushes it. */
  noChange(): Promise<Cost>
}

const notesRef = 'refs/notes/hydrator.metadata'

/** Clones the dry repository, and the hydrated branches for pushes to a repository of its own on the same server. */
export async function openBareGit(bed: HydrationBed, directory: string, tools: Tools): Promise<BareGit> {
  const environment = gitEnvironment(bed.server.credentials)
  const git = (args: readonly string[], input?: Buffer) => runGit(args, environment, input)
  const checkout = path.join(directory, 'bare-checkout')
  const clone = path.join(directory, 'bare-clone.git')
  const home = path.join(directory, 'bare-change-home')
  await mkdir(home)
  const plain = await bed.server.server.createRepository('plain.git')
  const plainUrl = bed.server.reachedAt(plain.url)
  await git(['clone', '--quiet', '--branch', 'main', bed.dry.bare, checkout])
  await git(['init', '--quiet', '--bare', clone])
  await git(['-C', clone, 'fetch', '--quiet', bed.dry.bare, '+refs/*:refs/*'])
  await git(['-C', clone, 'push', '--quiet', plainUrl, '+refs/*:refs/*'])

  const timed = async (ref: string, render: () => Promise<void>): Promise<Cost> => {
    const parent = (await git(['-C', clone, 'rev-parse', ref])).toString().trim()
    const range = [ref, `^${parent}`]
    const stream = await git(['-C', bed.dry.bare, 'fast-export', '--reference-excluded-parents', ...range])
    const cpuBefore = endedChildrenCpuSeconds()
    const started = performance.now()
    await git(['-C', clone, 'fetch', '--quiet', bed.dry.url, 'main'])
    await render()
    await git(['-C', clone, 'fast-import', '--quiet', '--force'], stream)
    await git(['-C', clone, 'push', '--quiet', plainUrl, ref])
    const wall = (performance.now() - started) / 1000
    return { wall, cpu: endedChildrenCpuSeconds() - cpuBefore }
  }
  return {
    change: async ({ branch, syncPath }) => {
      const ref = `refs/heads/${branch}`
      await git(['-C', checkout, 'fetch', '--quiet', bed.dry.bare, 'main'])
      await git(['-C', checkout, 'checkout', '--quiet', 'FETCH_HEAD'])
      const file = `${ref}:${syncPath}/hydrator.metadata`
      const commands = commandsOf((await git(['-C', bed.dry.bare, 'show', file])).toString(), tools)
      for (const command of commands.slice(0, -1)) await runCommand(command, checkout, home)
      // Plain files have no command.
      const last = commands.at(-1)
      return timed(ref, async () => {
        if (last) await runCommand(last, checkout, home)
      })
    },
    noChange: () => timed(notesRef, () => Promise.resolve()),
  }
}
