import { mkdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { errorMessage } from '@wadi/errors/domain-error.ts'
import type { ContainedRun } from './contained-run.ts'
import type { Isolator } from './isolator.ts'
import { Landlock } from './landlock.ts'
import { architectureNumbers } from './landlock-script.ts'
import { PrivatePlaces } from './private-places.ts'
import type { RunResult } from './run-contained.ts'
import type { ContainingPrograms } from './wrapped-command.ts'

/** A means by which programs are isolated, the stronger one first. */
export type IsolationMeans = 'namespaces' | 'landlock'

/** The isolation of programs on this machine. */
export interface ChosenIsolation {
  /** Undefined where nothing works. */
  readonly means: IsolationMeans | undefined
  readonly isolator: Isolator | undefined
  /** Why there are no namespaces; empty where there are. */
  readonly noNamespacesBecause: string
  /** Why there is no Landlock either; empty where it is used or not needed. */
  readonly noLandlockBecause: string
  /** True if programs may send signals to others of the service's user. */
  readonly reachesProcesses: boolean
}

/** The parts of the machine that isolators work with. */
interface IsolatorParts {
  /** A directory of this process alone. */
  readonly directory: string
  readonly programs: ContainingPrograms
  readonly programDirectories: readonly string[]
  readonly hidden: readonly string[]
  readonly run: (isolator: Isolator, argv: readonly string[], options: ContainedRun) => Promise<RunResult>
}

/** Tries namespaces, and Landlock where they do not work. */
export async function chooseIsolator(parts: IsolatorParts): Promise<ChosenIsolation> {
  const none = {
    means: undefined,
    isolator: undefined,
    noNamespacesBecause: '',
    noLandlockBecause: '',
    reachesProcesses: false,
  }
  const namespaces = await openNamespaces(parts)
  if (typeof namespaces !== 'string') return { ...none, means: 'namespaces', isolator: namespaces }
  const without = { ...none, noNamespacesBecause: namespaces }
  const landlock = await openLandlock(parts)
  return typeof landlock === 'string'
    ? { ...without, noLandlockBecause: landlock, reachesProcesses: true }
    : { ...without, means: 'landlock', ...landlock }
}

/** The configurations in which namespaces worked: the programs that make them, and the file system of the directory. */
const workingNamespaces = new Set<string>()

/** Returns why there are no namespaces if they do not work; another containment of this process may have found that they do. */
async function openNamespaces(parts: IsolatorParts): Promise<Isolator | string> {
  const { unshare, mount, setpriv } = parts.programs
  const missing = Object.entries({ unshare, mount, setpriv }).find(([, file]) => file === undefined)
  if (missing !== undefined) return `program ${missing[0]}, which is part of util-linux, is missing`
  const machine = JSON.stringify([unshare, mount, setpriv, statSync(parts.directory).dev])
  const isolator = new PrivatePlaces(parts, parts.programs)
  if (workingNamespaces.has(machine)) return isolator
  const { problem } = await tryIsolator(parts, isolator, 'test -e /proc/self/stat && test ! -e "$1"')
  if (problem !== '') return problem
  workingNamespaces.add(machine)
  return isolator
}

/** Kernels before 6.12 do not keep a program from sending signals. */
const landlockTrial =
  'test -e /proc/self/stat && ! cat "$1" 2> /dev/null && { ! kill -0 "$2" 2> /dev/null || echo reached; }'

async function openLandlock(
  parts: IsolatorParts,
): Promise<Pick<ChosenIsolation, 'isolator' | 'reachesProcesses'> | string> {
  const { perl } = parts.programs
  if (process.platform !== 'linux') return `${process.platform} has no Landlock`
  if (architectureNumbers[process.arch] === undefined) return `it is not known for ${process.arch}`
  if (perl === undefined) return 'program perl is missing'
  const isolator = new Landlock({ ...parts, perl })
  const { problem, output } = await tryIsolator(parts, isolator, landlockTrial)
  return problem === '' ? { isolator, reachesProcesses: output.includes('reached') } : problem
}

/** Runs a script with a file that it may not see and a process that it may not reach; the problem is empty if it succeeds. */
async function tryIsolator(
  parts: IsolatorParts,
  isolator: Isolator,
  script: string,
): Promise<{ problem: string; output: string }> {
  const trial = path.join(parts.directory, 'trial')
  const unseen = path.join(parts.directory, 'unseen')
  mkdirSync(trial, { recursive: true })
  writeFileSync(unseen, '')
  try {
    const result = await parts.run(isolator, ['/bin/sh', '-c', script, 'sh', unseen, String(process.pid)], {
      shownAs: 'a trial',
      cwd: trial,
      environment: {},
      timeoutMs: 30_000,
      graceMs: 0,
      outputBytes: 1024,
      signal: undefined,
      clean: (text) => text,
      cpuSeconds: 30,
      processes: 512,
      fileBytes: undefined,
      isolation: { view: 'system', directory: trial, network: false },
    })
    const output = result.output.toString()
    if (result.exitCode === 0) return { problem: '', output }
    return { problem: result.errorOutput || 'a program still saw the files of the machine', output }
  } catch (error) {
    return { problem: errorMessage(error), output: '' }
  } finally {
    rmSync(trial, { recursive: true, force: true })
    rmSync(unseen, { force: true })
  }
}
