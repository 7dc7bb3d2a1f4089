import { AlreadyExistsError, NotFoundError } from '@wadi/errors/domain-error.ts'
import { type ListedToken, storedToken } from './listed-token.ts'
import { projectTokens, rolesOf, tokensByRole } from './project-tokens.ts'
import type { SignInObjects } from './sign-in-objects.ts'

/**
 * Lists a token with its role, from when on it counts.
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
 * Strikes a token from the list of its role, so that it counts no more; one without an id is named by when it was issued.
 * @throws NotFoundError when the role has no such token
 */
export async function removeProjectToken(
  objects: SignInObjects,
  project: string,
  role: string,
  tokenId: string,
): Promise<void> {
  await changeTokens(objects, project, role, (tokens) => {
    const others = tokens.filter(({ id, issuedAt }) => (id || String(issuedAt)) !== tokenId)
    if (others.length < tokens.length) return others
    throw new NotFoundError(`role ${role} of project ${project} has no token with id '${tokenId}'`)
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
