import { errorMessage } from '@wadi/errors/domain-error.ts'
import { isJsonObject } from '@wadi/fields/json-object.ts'
import { emitManifests } from '@wadi/manifests/emit-manifests.ts'
import { readYaml } from '@wadi/manifests/read-yaml.ts'
import type { JsonValue } from '@wadi/manifests/manifest.ts'
import { CommandFailure } from '../command-line/command-failure.ts'
import { listAt, textAt, valueAt } from '@wadi/fields/json-fields.ts'

/** One server that the command line knows, with the token for it. */
export interface ServerContext {
  name: string
  /** `host:port`, or a URL. */
  server: string
  /** Empty when nobody is signed in. */
  token: string
  /** The token that renews an expired one; empty without an OpenID provider. */
  refreshToken: string
  plaintext: boolean
  insecure: boolean
}

/** The contents of the context file. */
export interface ContextFile {
  /** Name of the context that commands use; empty when there is none. */
  current: string
  contexts: ServerContext[]
}

/** Returns the contexts with one more, or with the one of that name replaced where it stands. */
export function withContext({ current, contexts }: ContextFile, context: ServerContext): ContextFile {
  const isKnown = contexts.some(({ name }) => name === context.name)
  const replaced = contexts.map((known) => (known.name === context.name ? context : known))
  return { current, contexts: isKnown ? replaced : [...contexts, context] }
}

/** Returns the text of a context file, in argocd's format. */
export function contextFileText({ current, contexts }: ContextFile): string {
  const file = {
    'current-context': current,
    contexts: contexts.map(({ name, server }) => ({ name, server, user: name })),
    servers: contexts.map(({ server, plaintext, insecure }) => ({
      server,
      ...(plaintext && { 'plain-text': true }),
      ...(insecure && { insecure: true }),
    })),
    users: contexts.map(({ name, token, refreshToken }) => ({
      name,
      'auth-token': token,
      ...(refreshToken !== '' && { 'refresh-token': refreshToken }),
    })),
  }
  return emitManifests([file])
}

/**
 * Reads the text of a context file.
 * @throws CommandFailure with exit code 1 when it is not such a file
 */
export function parseContextFile(text: string, path: string): ContextFile {
  let file: JsonValue | undefined
  try {
    file = readYaml(text, path).documents[0]?.value
  } catch (error) {
    throw new CommandFailure(`${errorMessage(error)}; correct or remove the file`, 1, { cause: error })
  }
  if (file === undefined) return { current: '', contexts: [] }
  if (!isJsonObject(file)) throw new CommandFailure(`${path} is not a context file; correct or remove it`, 1)
  const servers = new Map(listAt(file, 'servers').map((server) => [textAt(server, 'server'), server]))
  const users = new Map(listAt(file, 'users').map((user) => [textAt(user, 'name'), user]))
  return {
    current: textAt(file, 'current-context'),
    contexts: listAt(file, 'contexts').map((context) => {
      const server = servers.get(textAt(context, 'server'))
      const user = users.get(textAt(context, 'user'))
      return {
        name: textAt(context, 'name'),
        server: textAt(context, 'server'),
        token: textAt(user, 'auth-token'),
        refreshToken: textAt(user, 'refresh-token'),
        plaintext: valueAt(server, 'plain-text') === true,
        insecure: valueAt(server, 'insecure') === true,
      }
    }),
  }
}
