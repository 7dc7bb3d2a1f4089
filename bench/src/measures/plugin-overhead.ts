import { mkdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { openPlugins } from '@wadi/plugin-client/open-plugins.ts'
import { openDirectoryTree } from '@wadi/file-trees/directory-tree.ts'
import { startChildProgram } from '../child-program.ts'
import { openCmpServerBed } from '../cmp-server-bed.ts'
import type { Effort } from '../effort.ts'
import { atMost, type Cost, type Measurement, median } from '../measurement.ts'

const manifest = '{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"made"}}'
const argv = ['cat', 'app.json']
const standardRounds = 100
const standardWarmUp = 10
const barMilliseconds = 10

/** Compares a run of a plugin, whose command is `cat` of a small file, with the start of that command. */
export async function measurePluginOverhead(directory: string, effort: Effort): Promise<Measurement[]> {
  const rounds = effort.rounds(standardRounds)
  const warmUp = effort.rounds(standardWarmUp)
  await using bed = await openCmpServerBed(directory, 'cat', { generate: { command: argv } })
  const files = path.join(directory, 'files')
  await mkdir(files, { recursive: true })
  await writeFile(path.join(files, 'app.json'), manifest)
  await using plugins = await openPlugins({ socketDirectory: bed.sockets })
  const plugin = await plugins.get('cat')
  const call = { tree: openDirectoryTree(files), inputs: [''], path: '', variables: [] }
  const before = await bareMilliseconds(files, rounds)
  const runs: Cost[] = []
  for (let round = 0; round < rounds + warmUp; round++) {
    const started = performance.now()
    const { manifests } = await plugin.generate(call)
    const wall = (performance.now() - started) / 1000
    if (manifests.join('') !== manifest) throw new Error(`the plugin made ${JSON.stringify(manifests)}`)
    if (round >= warmUp) runs.push({ wall, cpu: 0 })
  }
  // The machine may be busier at one time than at another.
  const start = (before + (await bareMilliseconds(files, rounds))) / 2
  const run = median(runs).wall * 1000
  const basis = `medians of ${rounds}: run ${run.toFixed(2)} ms, bare command ${start.toFixed(2)} ms`
  return [atMost('plugins, a run over its bare command', run - start, 'ms', barMilliseconds, basis)]
}

async function bareMilliseconds(files: string, rounds: number): Promise<number> {
  const program = new URL('../bare-command-child.ts', import.meta.url)
  await using child = await startChildProgram(program, [String(rounds), files, ...argv], {})
  return Number(child.firstLine)
}
