import { InvalidInputError } from '@wadi/errors/domain-error.ts'
import type { Resource } from '@wadi/resources/resource.ts'
import type { Policy } from '../policy/policy.ts'
import { readProjectRoles } from './project-roles.ts'
import { readPolicy } from '../policy/read-policy.ts'
import type { PolicyText } from '../policy/read-policy.ts'

/** The rules that the roles of one project bring for requests on that project. */
export interface ProjectPolicy {
  /** The name of the project. */
  name: string
  policy: Policy
  /** Why the project's roles cannot be read; nobody has one of them then, as in Argo CD. Undefined when they can. */
  error: string | undefined
}

/**
 * Returns the rules of an AppProject's roles: each role may get the project, may do what its policies say, and every
 * one of its groups has it. Policies are read as they are, because objects that were not written through an API may
 * say more than `checkProjectRoles` lets pass.
 */
export function projectPolicy(project: Resource): ProjectPolicy {
  const { name } = project.metadata
  try {
    return { name, policy: readPolicy(roleTexts(project)), error: undefined }
  } catch (error) {
    if (!(error instanceof InvalidInputError)) throw error
    return { name, policy: { rules: [], grants: [] }, error: error.message }
  }
}

function roleTexts(project: Resource): PolicyText[] {
  const { name } = project.metadata
  return readProjectRoles(project).flatMap((role, index): PolicyText[] => {
    const at = `AppProject ${name} spec.roles[${index}]`
    const subject = `proj:${name}:${role.name}`
    return [
      { source: at, text: `p, ${subject}, projects, get, ${name}, allow` },
      ...role.policies.map((text, line) => ({ source: `${at}.policies[${line}]`, text })),
      ...role.groups.map((group, line) => ({
        source: `${at}.groups[${line}]`,
        text: `g, ${group}, ${subject}`,
      })),
    ]
  })
}
