import { mkdir, stat, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { findTools, type Tools } from '@wadi/renderer-tools/find-tools.ts'

/** Renderers that are counted when they are started. */
export interface CountedRenderers {
  /** The real ones. */
  readonly tools: Tools
  /** Directory to put in front of `PATH`. */
  readonly directory: string
  /** Puts a script into a directory that counts as well and becomes a program, and returns its path. */
  count(place: string, name: string, program: string): Promise<string>
  /** Returns the number of renderers started so far. */
  starts(): Promise<number>
}

/** Puts scripts before the renderers of this machine that note each start and become the real one. */
export async function countRenderers(workDirectory: string): Promise<CountedRenderers> {
  const tools = await findTools({ cacheDirectory: path.join(workDirectory, 'tools') })
  const directory = path.join(workDirectory, 'counted')
  const log = path.join(workDirectory, 'renderer-starts')
  await writeFile(log, '')
  const binaries = {
    helm: tools.helm.command[0],
    [tools.kustomize.standalone ? 'kustomize' : 'kubectl']: tools.kustomize.command[0],
  }
  const count = async (target: string, name: string, program: string): Promise<string> => {
    const file = path.join(target, name)
    // A script may be asked for its version at any time.
    const script = `#!/bin/sh\n[ "$1" = version ] || echo >> ${log}\nexec ${program} "$@"\n`
    await mkdir(target, { recursive: true })
    await writeFile(file, script, { mode: 0o755 })
    return file
  }
  for (const [name, binary] of Object.entries(binaries)) await count(directory, name, binary ?? '')
  return { tools, directory, count, starts: async () => (await stat(log)).size }
}
