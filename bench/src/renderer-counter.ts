import { mkdir, stat, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { findTools, type Tools } from '@wadi/rendering/sandbox/find-tools.ts'

/** Renderers that are counted when they are started. */
export interface CountedRenderers {
  /** The real ones. */
  readonly tools: Tools
  /** Folder to put in front of `PATH`. */
  readonly directory: string
  /** Returns the number of renderers started so far. */
  starts(): Promise<number>
}

/** Puts scripts before the renderers of this machine that note each start and become the real one. */
export async function countRenderers(workFolder: string): Promise<CountedRenderers> {
  const tools = await findTools({ cacheDirectory: path.join(workFolder, 'tools') })
  const directory = path.join(workFolder, 'counted')
  const log = path.join(workFolder, 'renderer-starts')
  await mkdir(directory)
  await writeFile(log, '')
  const binaries = {
    helm: tools.helm.command[0],
    [tools.kustomize.standalone ? 'kustomize' : 'kubectl']: tools.kustomize.command[0],
  }
  for (const [name, binary] of Object.entries(binaries)) {
    // A script may be asked for its version at any time.
    const script = `#!/bin/sh\n[ "$1" = version ] || echo >> ${log}\nexec ${binary} "$@"\n`
    await writeFile(path.join(directory, name), script, { mode: 0o755 })
  }
  return { tools, directory, starts: async () => (await stat(log)).size }
}
