import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { extname, join, resolve, sep } from 'node:path'

/** A file of the web console in every form that it is sent in. */
export interface ConsoleFile {
  type: string
  /** Entity tag with its quotes. */
  tag: string
  body: Buffer
  /** The compressed forms from the build, by the name of the encoding, the smallest first. */
  encoded: readonly { encoding: 'br' | 'gzip'; body: Buffer }[]
}

/** The built web console. */
export interface ConsoleFiles {
  /** The page, where `nonceMark` stands for the nonce of a response. */
  page: string
  /** Says whether a path is a page of the console, which is shown by the script of the page. */
  isPage: (path: string) => boolean
  /** By path, `/assets/main-3f2a.js` for example. */
  files: ReadonlyMap<string, ConsoleFile>
}

/** The placeholder in the built page for the nonce of a response. */
export const nonceMark = 'nonce-of-the-response'

/** The output directory of `npm run build:web`. */
export const builtConsole = resolve(import.meta.dirname, '../../../../clients/web/dist')

const types: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.txt': 'text/plain; charset=utf-8',
}

/**
 * Reads a built console into memory, about 3 MB, so that no request chooses what is read; undefined when the directory has
 * none.
 */
export async function readConsole(directory: string): Promise<ConsoleFiles | undefined> {
  const page = await textOrNothing(join(directory, 'index.html'))
  const pages = await textOrNothing(join(directory, 'pages.txt'))
  if (page === undefined || pages === undefined) return undefined
  const entries = await readdir(directory, { recursive: true, withFileTypes: true })
  const names = entries
    .filter((entry) => entry.isFile() && extname(entry.name) in types)
    .map((entry) => join(entry.parentPath, entry.name).slice(directory.length + 1))
    .filter((name) => name !== 'pages.txt')
  const files = new Map<string, ConsoleFile>()
  for (const name of names) files.set(`/${name.split(sep).join('/')}`, await readConsoleFile(directory, name))
  return { page, isPage: pageMatcher(pages), files }
}

async function readConsoleFile(directory: string, name: string): Promise<ConsoleFile> {
  const body = await readFile(join(directory, name))
  const encoded: { encoding: 'br' | 'gzip'; body: Buffer }[] = []
  for (const [encoding, ending] of [['br', '.br'] as const, ['gzip', '.gz'] as const]) {
    const compressed = await bytesOrNothing(join(directory, `${name}${ending}`))
    if (compressed) encoded.push({ encoding, body: compressed })
  }
  const digest = createHash('sha256').update(body).digest('base64url').slice(0, 27)
  return { type: types[extname(name)] ?? '', tag: `"${digest}"`, body, encoded }
}

/** @param pages one pattern per line, `/applications/$namespace/$name` for example */
function pageMatcher(pages: string): (path: string) => boolean {
  const patterns = pages
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => line.split('/'))
  return (path) => {
    const parts = path.split('/')
    return patterns.some(
      (pattern) =>
        pattern.length === parts.length &&
        pattern.every((part, index) => (part.startsWith('$') ? parts[index] !== '' : part === parts[index])),
    )
  }
}

async function textOrNothing(file: string): Promise<string | undefined> {
  return (await bytesOrNothing(file))?.toString()
}

async function bytesOrNothing(file: string): Promise<Buffer | undefined> {
  try {
    return await readFile(file)
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
    throw error
  }
}
