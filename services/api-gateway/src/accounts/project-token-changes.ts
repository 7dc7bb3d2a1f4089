import { AlreadyExistsError, FailedPreconditionError, NotFoundError } from '@wadi/errors/domain-error.ts'
import { type ListedToken, storedToken } from './listed-token.ts'
import { projectTokens, rolesOf, tokensByRole } from './project-tokens.ts'
import type { SignInObjects } from './sign-in-objects.ts'

/**
 * Lists a token with its role, so that it becomes valid.
 * @throws AlreadyExistsError when the role has one of that id, NotFoundError without the project
 */
export async function addProjectToken(
  objects: SignInObjects,
  project: string,
  role: string,
  token: ListedToken,
): Promise<void> {
  await changeTokens(objects, project, role, (tokens) => {
    if (tokens.some(({ id }) => id === token.id)) {
      throw new AlreadyExistsError(
        `role ${role} of project ${project} already has a token with id '${token.id}'`,
      )
    }
    return [...tokens, token]
  })
}

/**
 * Strikes a token from the list of its role, so that it is no longer valid. It is named by its id or, as Argo CD's command
 * line does, by when it was issued, in seconds since 1970.
 * @throws NotFoundError when the role has no such token, FailedPreconditionError when it has several of that second
 */
export async function removeProjectToken(
  objects: SignInObjects,
  project: string,
  role: string,
  tokenId: string,
): Promise<void> {
  await changeTokens(objects, project, role, (tokens) => {
    const named = tokens.filter(({ id }) => id === tokenId)
    const found = named.length > 0 ? named : tokens.filter(({ issuedAt }) => String(issuedAt) === tokenId)
    const [token, ...more] = found
    if (!token)
      throw new NotFoundError(`role ${role} of project ${project} has no token with id '${tokenId}'`)
    if (more.length > 0) {
      const ids = found.map(({ id }) => id).join(', ')
      throw new FailedPreconditionError(
        `role ${role} of project ${project} has several tokens of that second; name one: wadi proj role delete-token ${project} ${role} ID, of ${ids}`,
      )
    }
    return tokens.filter((other) => other !== token)
  })
}

/** The status decides, so it is written first; the spec follows it. */
async function changeTokens(
  objects: SignInObjects,
  project: string,
  role: string,
  change: (tokens: readonly ListedToken[]) => readonly ListedToken[],
): Promise<void> {
  await objects.changeProject(project, 'status', (current) => {
    const items = change(projectTokens(current, role)).map(storedToken)
    const lists = new Map(tokensByRole(current.status)).set(role, { items })
    return { ...current.status, jwtTokensByRole: Object.fromEntries(lists) }
  })
  await objects.changeProject(project, 'spec', (current) => ({
    ...current.spec,
    roles: rolesOf(current.spec).map((fields) =>
      fields['name'] === role
        ? { ...fields, jwtTokens: projectTokens(current, role).map(storedToken) }
        : fields,
    ),
  }))
}
