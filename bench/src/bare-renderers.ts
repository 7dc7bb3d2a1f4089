import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir } from 'node:fs/promises'
import { availableParallelism } from 'node:os'
import path from 'node:path'
import type { Tools } from '@wadi/renderer-tools/find-tools.ts'
import { simpleGit } from 'simple-git'
import type { HydrationBed } from './hydration-bed.ts'
import type { Cost } from './measurement.ts'
import { endedChildrenCpuSeconds } from './process-tree.ts'

const recordedList = /"commands": (\[[^\]]*\])/g

/** The costs of the renderers alone. */
export interface BareCosts {
  /** Every recorded command. */
  readonly all: BareCost
  /** The last command of each application, with what it needs already there: no build of dependencies. */
  readonly renders: BareCost
  /** Of these, the applications in the in-house chart. */
  readonly inHouse: BareCost
}

/** The costs of some commands. */
interface BareCost extends Cost {
  readonly processes: number
}

/**
 * Runs the commands that the hydrated branches record, in a fresh checkout of the dry repository, as many applications
 * at a time as repo-server renders: first what prepares the renders, then these. What they write is thrown away, and no
 * shell is between.
 */
export async function runBareRenderers(
  bed: HydrationBed,
  tools: Tools,
  directory: string,
): Promise<BareCosts> {
  const checkout = path.join(directory, 'checkout')
  await simpleGit().clone(bed.dry.bare, checkout, ['--quiet', '--branch', 'main'])
  const home = path.join(directory, 'bare-home')
  await mkdir(home)
  const recorded = await recordedCommands(bed, tools)
  const preparations = await runAll(
    recorded.map((commands) => commands.slice(0, -1)),
    checkout,
    home,
  )
  const last = recorded.map((commands) => commands.slice(-1))
  const isInHouse = ([argv = []]: readonly string[][]): boolean =>
    argv.some((argument) => argument.startsWith('apps/'))
  const inHouse = await runAll(last.filter(isInHouse), checkout, home)
  const others = await runAll(
    last.filter((commands) => !isInHouse(commands)),
    checkout,
    home,
  )
  const renders = sumOf(inHouse, others)
  return { all: sumOf(preparations, renders), renders, inHouse }
}

function sumOf(a: BareCost, b: BareCost): BareCost {
  return { wall: a.wall + b.wall, cpu: a.cpu + b.cpu, processes: a.processes + b.processes }
}

async function runAll(
  applications: readonly (readonly string[][])[],
  checkout: string,
  home: string,
): Promise<BareCost> {
  const waiting = [...applications]
  let processes = 0
  const cpuBefore = endedChildrenCpuSeconds()
  const started = performance.now()
  const work = async (): Promise<void> => {
    for (let commands = waiting.pop(); commands !== undefined; commands = waiting.pop()) {
      for (const argv of commands) {
        processes++
        await runCommand(argv, checkout, home)
      }
    }
  }
  await Promise.all(Array.from({ length: availableParallelism() }, work))
  const wall = (performance.now() - started) / 1000
  return { wall, cpu: endedChildrenCpuSeconds() - cpuBefore, processes }
}

/** The commands of every application as argument lists. */
async function recordedCommands({ dry, branches }: HydrationBed, tools: Tools): Promise<string[][][]> {
  const git = simpleGit(dry.bare)
  const all: string[][][] = []
  for (const head of branches.heads().values()) {
    const text = await git.raw(['grep', '-h', '-A8', '"commands": \\[', head, '--', '*/hydrator.metadata'])
    for (const [list] of text.matchAll(recordedList)) all.push(commandsOf(list, tools))
  }
  if (all.length !== dry.applications.length) {
    throw new Error(`${all.length} directories record commands, not ${dry.applications.length}`)
  }
  return all
}

/** The commands of one application, from the text that records them, as argument lists. */
export function commandsOf(text: string, tools: Tools): string[][] {
  const [, list = '[]'] = new RegExp(recordedList.source).exec(text) ?? []
  const commands: string[] = JSON.parse(list)
  return commands.map((command) => argumentsOf(command, tools))
}

function argumentsOf(command: string, tools: Tools): string[] {
  if (/['"\\$]/.test(command)) throw new Error(`the command needs a shell: ${command}`)
  const [name, ...args] = command.split(' ')
  if (name === 'helm') return [...tools.helm.command, ...args]
  return [...tools.kustomize.command, ...args.slice(1)]
}

/** Runs a command without a shell and throws what it prints away. */
export async function runCommand(argv: readonly string[], cwd: string, home: string): Promise<void> {
  const [file = '', ...args] = argv
  const child = spawn(file, args, {
    cwd,
    env: { HOME: home, PATH: '/nonexistent', KUBECONFIG: '/dev/null' },
    stdio: 'ignore',
  })
  const [code] = await once(child, 'exit')
  if (code !== 0) throw new Error(`${argv.join(' ')} ended with ${String(code)}`)
}
