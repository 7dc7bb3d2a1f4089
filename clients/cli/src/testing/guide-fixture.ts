import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { findTools } from '@wadi/renderer-tools/find-tools.ts'
import { nodeOptions } from '@wadi/testing/quick-start.ts'
import { cacheHome, toolCache } from '@wadi/testing/tool-cache.ts'
import { environmentIn, startUp } from './running-up-fixture.ts'
import { mainFile, temporaryDirectory } from './run-wadi-fixture.ts'

/** A guide whose commands are run as they are printed, beside services that run. */
interface RunningGuide extends AsyncDisposable {
  readonly text: string
  /** The blocks of commands without those that start services, which have tests of their own. */
  readonly blocks: readonly string[]
  /** Runs a block with the launcher in the current directory. */
  run(block: string): Promise<{ code: number; output: string }>
  /**
   * Runs all blocks in their order, each of which must end with 0, and returns their outputs.
   * @param exported what the user of the shell exported before
   */
  runAll(exported?: string): Promise<string[]>
}

/** Returns what a user exports who may use repositories on disk, and has some programs besides. */
export async function exportedWith(...names: ('helm' | 'kustomize')[]): Promise<string> {
  const tools = await findTools({ cacheDirectory: toolCache })
  const directories = names.map((name) => dirname(tools[name].command[0] ?? ''))
  return `export WADI_ALLOW_FILE_URLS=true PATH='${directories.join(':')}':"$PATH"\n`
}

/**
 * Starts the services for a guide.
 * @param place the directory that its commands use, which another one takes the place of
 */
export async function startGuide(file: string, place: string): Promise<RunningGuide> {
  await using owned = new AsyncDisposableStack()
  const directory = owned.use(await temporaryDirectory()).path
  const up = owned.use(await startUp(directory, { WADI_ALLOW_FILE_URLS: 'true' }))
  const launcher = `#!/bin/sh\nexec '${process.execPath}' ${nodeOptions.join(' ')} '${mainFile}' "$@"\n`
  await writeFile(join(directory, 'wadi'), launcher, { mode: 0o755 })
  await mkdir(join(directory, 'home'), { recursive: true })
  const start = join(directory, 'start')
  const environment = { ...environmentIn(directory), XDG_CACHE_HOME: cacheHome, START: start }
  const text = (await readFile(new URL(`../../../../docs/guides/${file}`, import.meta.url), 'utf8'))
    .replaceAll(place, start)
    .replaceAll('127.0.0.1:8080', up.context.server)
  const blocks = Array.from(text.matchAll(/^```sh\n([^]*?)^```$/gm), ([, block = '']) => block).filter(
    (block) => !/wadi (?:demo|up)\b/.test(block),
  )
  const run: RunningGuide['run'] = (block) =>
    new Promise((resolve) => {
      execFile('sh', ['-ec', block], { cwd: directory, env: environment }, (error, stdout, stderr) => {
        resolve({ code: Number(error?.code ?? 0), output: `${stdout}${stderr}` })
      })
    })
  const kept = owned.move()
  return {
    text,
    blocks,
    run,
    runAll: async (exported = '') => {
      const outputs: string[] = []
      for (const block of blocks) {
        const { code, output } = await run(`${exported}${block}`)
        assert.equal(code, 0, `${block}${output}`)
        outputs.push(output)
      }
      return outputs
    },
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  }
}
