import { rmSync } from 'node:fs'
import { mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { consoleConfig, consoleRoot } from './console-config.ts'
import { sourceDigest } from './source-digest.ts'

// `npm run build:web`, and the launcher before `up` and `demo`: builds the web console unless it is built already.
const built = join(consoleRoot, 'dist')
const digest = await sourceDigest()
if ((await builtDigest()) !== digest) {
  process.stderr.write('wadi: building the web console, once, a few seconds ... ')
  await buildConsole()
  process.stderr.write('done\n')
}

async function builtDigest(): Promise<string | undefined> {
  return readFile(join(built, 'digest'), 'utf8').catch(() => undefined)
}

/** Builds into a directory of its own and then takes the place of the last one, so that no half-built console is ever served. */
async function buildConsole(): Promise<void> {
  const { build } = await import('vite')
  const fresh = await mkdtemp(join(consoleRoot, 'dist-'))
  process.once('SIGINT', () => {
    rmSync(fresh, { recursive: true, force: true })
    process.exit(130)
  })
  try {
    await build(consoleConfig(fresh))
    await writeFile(join(fresh, 'digest'), digest)
    await rm(built, { recursive: true, force: true })
    await rename(fresh, built).catch(async (error: unknown) => {
      // Another process was faster with the same sources.
      if ((await builtDigest()) !== digest) throw error
    })
  } finally {
    await rm(fresh, { recursive: true, force: true })
  }
}
