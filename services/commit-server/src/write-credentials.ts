import { type DomainError, NotFoundError, PermissionDeniedError } from '@wadi/errors/domain-error.ts'
import { AccessRefusedError, RepositoryNotFoundError } from '@wadi/git/process/git-failure.ts'
import { notesRef } from '@wadi/hydration/hydrated-files.ts'
import type { Mirror } from '@wadi/git/mirror/mirror.ts'
import { normalizeRepositoryUrl } from '@wadi/git/remote/repository-identity.ts'
import { redactUrl } from '@wadi/git/remote/repository-url.ts'
import { selectSecret } from '@wadi/repositories/repository-credentials.ts'
import { isPrefixType } from '@wadi/repositories/repository-secret.ts'
import type { CommitServerContext } from './context.ts'

/** A repository as one project reaches it. */
interface Destination {
  repoUrl: string
  project: string
}

/**
 * Works with the mirror of a repository that is written to. When the server lets nobody in, the error says which write
 * credentials there are and what to do: the words of a read would send people to the wrong Secret.
 * @throws the error of the task
 */
export async function useDestination<T>(
  context: Pick<CommitServerContext, 'mirrors' | 'repositories'>,
  destination: Destination,
  task: (mirror: Mirror) => Promise<T>,
): Promise<T> {
  try {
    return await context.mirrors.use(destination.repoUrl, destination.project, task)
  } catch (error) {
    if (error instanceof PermissionDeniedError || error instanceof RepositoryNotFoundError) {
      throw await inWordsOfWriting(context, destination, error)
    }
    throw error
  }
}

async function inWordsOfWriting(
  { repositories }: Pick<CommitServerContext, 'repositories'>,
  { repoUrl, project }: Destination,
  cause: PermissionDeniedError | RepositoryNotFoundError,
): Promise<DomainError> {
  const where = redactUrl(repoUrl)
  // A path of this machine takes no credentials.
  if (where.startsWith('file:')) return cause
  const secrets = await repositories.list()
  const secret = selectSecret(secrets, repoUrl, project)
  const found = cause instanceof PermissionDeniedError
  if (secret) {
    const named = repositories.named(secret)
    if (!found)
      return new NotFoundError(
        `repository not found: ${where}; check its URL; the write credentials are those of ${named}`,
        { cause },
      )
    if (cause instanceof AccessRefusedError) {
      return new PermissionDeniedError(
        `${where} refuses the push: it knows the write credentials of ${named}, but they may not push there; ` +
          `give their account the right to push to hydrated branches and to ${notesRef}`,
        { cause },
      )
    }
    return new PermissionDeniedError(
      `${where} does not accept the write credentials of ${named}; ` +
        `replace them with "${addCommand(where, project)} --upsert"`,
      { cause },
    )
  }
  const ofOthers = secrets.some((other) => other.project !== '' && covers(other, repoUrl))
  const advice = `add some with "${addCommand(where, ofOthers ? project : '')}"`
  const others = `the write credentials stored for ${where} are those of another project and do not apply to ${project === '' ? 'a branch of several projects' : `project "${project}"`}`
  const none = `no write credentials are stored for ${where}`
  if (!found) {
    const reason = ofOthers ? others : none
    return new NotFoundError(
      `repository not found: ${where}; check its URL. If it is private: ${reason}; ${advice}`,
      { cause },
    )
  }
  const reason = ofOthers ? others : `${none}, which rejects pushes without them`
  return new PermissionDeniedError(`${reason}; ${advice}`, { cause })
}

function covers(
  { url, type }: { url: string; type: Parameters<typeof isPrefixType>[0] },
  repoUrl: string,
): boolean {
  const [own, wanted] = [normalizeRepositoryUrl(url), normalizeRepositoryUrl(repoUrl)]
  return own === wanted || (isPrefixType(type) && wanted.startsWith(own.endsWith('/') ? own : `${own}/`))
}

function addCommand(where: string, project: string): string {
  return `wadi repo add ${where} --write --username NAME${project === '' ? '' : ` --project ${project}`}`
}
