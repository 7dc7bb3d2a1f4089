import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import gte from 'semver/functions/gte.js'
import { z } from 'zod'
import { type Publication, otherContent } from './publication.ts'

const run = promisify(execFile)

const viewSchema = z.object({
  'dist.integrity': z.string().optional(),
  'dist-tags': z.record(z.string(), z.string()).optional(),
})
const failureSchema = z.object({ error: z.object({ code: z.string().optional(), summary: z.string() }) })

/**
 * Returns a packed npm package that npm publishes with the user's own settings.
 * @param registry the URL of the registry
 */
export function npmPublication(file: string, name: string, version: string, registry: URL): Publication {
  const title = `npm package ${name} ${version} in ${registry.href}`
  return {
    title,
    isThere: async () => {
      const integrity = (await view(`${name}@${version}`, 'dist.integrity', registry))['dist.integrity']
      if (integrity === undefined) return false
      const own = `sha512-${createHash('sha512')
        .update(await readFile(file))
        .digest('base64')}`
      if (integrity !== own) throw otherContent(title, integrity, own)
      return true
    },
    announce: async () => {
      const latest = (await view(name, 'dist-tags', registry))['dist-tags']?.['latest']
      // A correction of an older version is not what everybody gets.
      const isNewest = latest === undefined || gte(version, latest)
      const tag = isNewest ? 'latest' : `release-${version.slice(0, version.lastIndexOf('.'))}`
      await npm('publish', file, '--tag', tag, '--registry', registry.href)
    },
  }
}

/** Returns fields of a package; none where the registry does not have it. */
async function view(wanted: string, field: string, registry: URL): Promise<z.infer<typeof viewSchema>> {
  const text = await npm('view', wanted, field, 'name', '--json', '--registry', registry.href)
  return viewSchema.parse(text === '' ? {} : JSON.parse(text))
}

/** Returns the output of npm; empty where the registry does not have the package. */
async function npm(...args: string[]): Promise<string> {
  try {
    return (await run('npm', [...args, '--json'], { maxBuffer: 64 * 1024 * 1024 })).stdout.trim()
  } catch (error) {
    const { stdout, stderr } = z.object({ stdout: z.string(), stderr: z.string() }).parse(error)
    const failure = failureSchema.safeParse(parsed(stdout)).data?.error
    if (failure?.code === 'E404' && args[0] === 'view') return ''
    throw new Error(`npm ${args[0]}: ${failure?.summary ?? stderr}`, { cause: error })
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
