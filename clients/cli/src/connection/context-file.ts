import { mkdir, open, rename, rm } from 'node:fs/promises'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import { CommandFailure } from '../command-line/command-failure.ts'
import type { ContextFile } from './context-file-content.ts'

/** A context to write; it has no refresh token and checks certificates unless it says otherwise. */
export interface NewContext {
  name: string
  server: string
  token: string
  refreshToken?: string
  plaintext: boolean
  insecure?: boolean
  /** True to make it the current one; otherwise the current one stays. */
  current: boolean
}

const maxFileBytes = 1_000_000

/**
 * Returns where the context file is: `$WADI_CONFIG_DIR/config`, else `$XDG_CONFIG_HOME/wadi/config`, else
 * `~/.config/wadi/config`.
 */
export function contextFilePath(environment: NodeJS.ProcessEnv): string {
  const { WADI_CONFIG_DIR: directory, XDG_CONFIG_HOME: configHome } = environment
  if (directory) return join(directory, 'config')
  return join(configHome || join(environment['HOME'] || homedir(), '.config'), 'wadi', 'config')
}

/**
 * Reads a context file in argocd's format; a missing file has no contexts.
 * @throws CommandFailure with exit code 1 when others than the owner may read the file, or it is not such a file.
 */
export async function readContextFile(path: string): Promise<ContextFile> {
  let text: string
  try {
    await using file = await open(path)
    const { mode, size } = await file.stat()
    const permissions = mode & 0o777
    if (permissions !== 0o600 && permissions !== 0o400) {
      throw new CommandFailure(
        `${path} holds tokens and has mode 0${permissions.toString(8)}; run: chmod 600 ${path}`,
        1,
      )
    }
    if (size > maxFileBytes) throw new CommandFailure(`${path} is larger than ${maxFileBytes} bytes`, 1)
    text = await file.readFile('utf8')
  } catch (error) {
    if (isMissing(error)) return { current: '', contexts: [] }
    throw error
  }
  const { parseContextFile } = await import('./context-file-content.ts')
  return parseContextFile(text, path)
}

/** Adds a context or replaces the one of that name, and makes it the current one when asked. */
export async function writeContext(
  context: NewContext,
  path: string = contextFilePath(process.env),
): Promise<void> {
  const { withContext } = await import('./context-file-content.ts')
  const { current, ...server } = context
  await changeContextFile(path, (file) => ({
    ...withContext(file, { refreshToken: '', insecure: false, ...server }),
    current: current ? context.name : file.current,
  }))
}

/**
 * Reads the context file and writes what `change` makes of it, nothing for undefined. Commands that do so at the same
 * time wait for each other.
 * @throws CommandFailure as `readContextFile`, and when another command keeps the file for a minute
 */
export async function changeContextFile(
  path: string,
  change: (file: ContextFile) => ContextFile | undefined | Promise<ContextFile | undefined>,
): Promise<void> {
  const { lockContextFile } = await import('./context-file-lock.ts')
  await mkdir(dirname(path), { recursive: true, mode: 0o700 })
  using _ = await lockContextFile(path)
  const changed = await change(await readContextFile(path))
  if (changed) await replaceContextFile(path, changed)
}

/** Writes the file as a whole with mode 0600; readers see the old one or the new one. */
async function replaceContextFile(path: string, file: ContextFile): Promise<void> {
  const { contextFileText } = await import('./context-file-content.ts')
  const { syncToDisk } = await import('@wadi/rpc/durable-file.ts')
  const draft = `${path}.${crypto.randomUUID()}`
  try {
    await using written = await open(draft, 'wx', 0o600)
    await written.writeFile(contextFileText(file))
    await written.sync()
    await rename(draft, path)
    await syncToDisk(dirname(path))
  } catch (error) {
    await rm(draft, { force: true })
    throw error
  }
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT'
}
