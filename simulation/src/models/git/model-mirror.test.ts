import { mkdtempDisposable } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { openTestMirror } from '@wadi/git/mirror/mirror-fixture.ts'
import { startGitHttpServer } from '@wadi/testing/git-http-server.ts'
import { gitContract } from './git-contract-fixture.ts'
import { GitServer } from './git-server.ts'
import { type Contact, ModelMirror } from './model-mirror.ts'

gitContract('git', async ({ protectedRef, isAtomic = true } = {}) => {
  await using stack = new AsyncDisposableStack()
  const scratch = stack.use(await mkdtempDisposable(path.join(tmpdir(), 'wadi-git-contract-')))
  const server = await startGitHttpServer({})
  stack.defer(() => server.close())
  const { url } = await server.createRepository('a.git', {
    ...(protectedRef !== undefined && { preReceive: refusing(protectedRef) }),
    ...(!isAtomic && { config: { 'receive.advertiseAtomic': 'false' } }),
  })
  const open = async (name: string) =>
    stack.use(await openTestMirror(path.join(scratch.path, name), url, undefined, 'git'))
  const mirrors = [await open('one'), await open('two')] as const
  const owned = stack.move()
  return { mirrors, [Symbol.asyncDispose]: () => owned.disposeAsync() }
})

gitContract('the model of git', async ({ protectedRef, isAtomic = true } = {}) => {
  const server = new GitServer()
  server.isAtomic = isAtomic
  if (protectedRef !== undefined) server.protectedRefs.add(protectedRef)
  const contact: Contact = async (_label, ask) => ask()
  const open = (name: string) =>
    new ModelMirror('ssh://git@git.example.com/a.git', `/${name}`, server, contact)
  return { mirrors: [open('one'), open('two')] as const, [Symbol.asyncDispose]: async () => undefined }
})

/** A hook that refuses all refs that are pushed together with one. */
function refusing(ref: string): string {
  return `#!/bin/sh\n! grep -q ' ${ref}$'\n`
}
