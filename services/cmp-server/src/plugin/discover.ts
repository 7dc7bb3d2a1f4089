import { lstat, readdir } from 'node:fs/promises'
import path from 'node:path'
import { InvalidInputError } from '@wadi/errors/domain-error.ts'
import picomatch from 'picomatch'
import type { PluginRun } from '../run/plugin-run.ts'
import type { Discovery } from './plugin.ts'

/** Whether the plugin's rule says that the application is its own. */
export async function discover(discovery: Discovery, run: PluginRun): Promise<boolean> {
  switch (discovery.by) {
    case 'fileName':
      return matchesFileName(run.directory, discovery.pattern)
    case 'glob':
      return matchesGlob(run.directory, discovery.pattern)
    default:
      return (await run.command('discover', discovery.argv)).text !== ''
  }
}

/** By the rules of Go's filepath.Glob: no `**`, no braces, and `*` takes names with a leading dot. */
async function matchesFileName(directory: string, pattern: string): Promise<boolean> {
  let folders = [directory]
  const names = cleanPattern(pattern).split('/')
  for (const [index, name] of names.entries()) {
    const isLast = index === names.length - 1
    const found = await Promise.all(folders.map((folder) => entriesNamed(folder, name)))
    folders = found.flat()
    if (isLast) return folders.length > 0
  }
  return false
}

async function entriesNamed(folder: string, name: string): Promise<string[]> {
  if (!/[*?[\\]/.test(name)) return (await exists(path.join(folder, name))) ? [path.join(folder, name)] : []
  const matches = picomatch(name.replaceAll(/\*{2,}/g, '*'), {
    dot: true,
    nobrace: true,
    noextglob: true,
    nonegate: true,
    bash: true,
  })
  return (await namesIn(folder)).filter((entry) => matches(entry)).map((entry) => path.join(folder, entry))
}

/** By the rules of go-zglob: `**` followed by `/` is any number of folders, `{a,b}` alternatives, `?` itself. */
async function matchesGlob(directory: string, pattern: string): Promise<boolean> {
  const text = cleanPattern(pattern)
    .replaceAll('?', String.raw`\?`)
    .replace(/(^|\/)\*\*$/, '$1*')
  const matches = picomatch(text, { dot: true, noextglob: true, nonegate: true })
  const search = async (folder: string): Promise<boolean> => {
    for (const entry of await readdir(path.join(directory, folder), { withFileTypes: true })) {
      const below = folder === '' ? entry.name : `${folder}/${entry.name}`
      if (matches(below) || (entry.isDirectory() && (await search(below)))) return true
    }
    return false
  }
  return search('')
}

/** Links inside the archive never lead out of it, so a pattern without `..` cannot either. */
function cleanPattern(pattern: string): string {
  const clean = path.posix.normalize(pattern)
  if (clean.split('/').includes('..') || clean.startsWith('/')) {
    throw new InvalidInputError(`discover: pattern "${pattern}" leads out of the application's folder`)
  }
  return clean
}

async function namesIn(folder: string): Promise<string[]> {
  try {
    return await readdir(folder)
  } catch {
    // No folder: what is in it does not match.
    return []
  }
}

async function exists(file: string): Promise<boolean> {
  try {
    await lstat(file)
    return true
  } catch {
    return false
  }
}
