import { randomUUID } from 'node:crypto'
import { mkdir, open, rename, rm } from 'node:fs/promises'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import { parse, stringify } from 'yaml'
import { CommandFailure } from './command-failure.ts'
import { isJsonObject, listAt, textAt, valueAt } from './json-path.ts'

/** One server that the command line knows, with the token for it. */
export interface ServerContext {
  name: string
  /** `host:port`, or a URL. */
  server: string
  /** Empty when nobody is signed in. */
  token: string
  plaintext: boolean
  insecure: boolean
}

/** What the context file says. */
export interface ContextFile {
  /** Name of the context that commands use; empty when there is none. */
  current: string
  contexts: ServerContext[]
}

const maxFileBytes = 1_000_000

/**
 * Returns where the context file is: `$WADI_CONFIG_DIR/config`, else `$XDG_CONFIG_HOME/wadi/config`, else
 * `~/.config/wadi/config`.
 */
export function contextFilePath(environment: NodeJS.ProcessEnv): string {
  const { WADI_CONFIG_DIR: folder, XDG_CONFIG_HOME: configHome } = environment
  if (folder) return join(folder, 'config')
  return join(configHome || join(environment['HOME'] || homedir(), '.config'), 'wadi', 'config')
}

/**
 * Reads a context file in argocd's format; a missing file has no contexts.
 * @throws CommandFailure with exit code 1 when others than the owner may read the file, or it is no such file.
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
  return parseContextFile(text, path)
}

/** Adds a context or replaces the one of that name, and makes it the current one when asked. */
export async function writeContext(
  context: { name: string; server: string; token: string; plaintext: boolean; current: boolean },
  path: string = contextFilePath(process.env),
): Promise<void> {
  const { current, ...server } = context
  const file = await readContextFile(path)
  const others = file.contexts.filter(({ name }) => name !== context.name)
  await writeContextFile(path, {
    current: current ? context.name : file.current,
    contexts: [...others, { ...server, insecure: false }],
  })
}

/** Replaces the context file as a whole, mode 0600 in a folder of mode 0700; readers see the old one or the new one. */
export async function writeContextFile(path: string, { current, contexts }: ContextFile): Promise<void> {
  const content = {
    'current-context': current,
    contexts: contexts.map(({ name, server }) => ({ name, server, user: name })),
    servers: contexts.map(({ server, plaintext, insecure }) => ({
      server,
      ...(plaintext && { 'plain-text': true }),
      ...(insecure && { insecure: true }),
    })),
    users: contexts.map(({ name, token }) => ({ name, 'auth-token': token })),
  }
  await mkdir(dirname(path), { recursive: true, mode: 0o700 })
  const draft = `${path}.${randomUUID()}`
  try {
    await using file = await open(draft, 'wx', 0o600)
    await file.writeFile(stringify(content))
    await file.sync()
    await rename(draft, path)
  } catch (error) {
    await rm(draft, { force: true })
    throw error
  }
}

function parseContextFile(text: string, path: string): ContextFile {
  let file: unknown
  try {
    file = parse(text)
  } catch (error) {
    throw new CommandFailure(`${path} is not YAML; correct or remove it`, 1, { cause: error })
  }
  if (file === null) return { current: '', contexts: [] }
  if (!isJsonObject(file)) throw new CommandFailure(`${path} is not a context file; correct or remove it`, 1)
  const servers = new Map(listAt(file, 'servers').map((server) => [textAt(server, 'server'), server]))
  const users = new Map(listAt(file, 'users').map((user) => [textAt(user, 'name'), user]))
  return {
    current: textAt(file, 'current-context'),
    contexts: listAt(file, 'contexts').map((context) => {
      const server = servers.get(textAt(context, 'server'))
      return {
        name: textAt(context, 'name'),
        server: textAt(context, 'server'),
        token: textAt(users.get(textAt(context, 'user')), 'auth-token'),
        plaintext: valueAt(server, 'plain-text') === true,
        insecure: valueAt(server, 'insecure') === true,
      }
    }),
  }
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT'
}
