import { createHash } from 'node:crypto'
import { errorMessage, InvalidInputError } from '@wadi/errors/domain-error.ts'
import {
  sourceVerification,
  type Verification,
  verificationDigest,
} from '@wadi/hydration/source-verification.ts'
import { layoutOf } from '@wadi/resources/application/layout.ts'
import type { AppProject } from '@wadi/resources/project/app-project.ts'
import { readProjects } from '@wadi/resources/project/project-permission.ts'
import type { ResourceStore } from '@wadi/resources/store/resource-store.ts'
import { factsOf } from '../../applications/member-facts.ts'
import type { MemberGroup, ObservedGroup } from '../branch-run.ts'

/** The signatures that the commits of each source of a group need, and the group's digest once that is known. */
export interface VerifiedGroup extends Pick<ObservedGroup, 'digest'> {
  /** In the order of the sources; none when a project cannot be read. */
  verifications: readonly Verification[]
}

/**
 * Reads what the projects of a group's members say of it: whose signatures its dry commits need, which all members share,
 * and the layout of directories and the tool that applies them. All are a part of the group's digest, so that another makes it
 * run again. A project that cannot be read is an error of its members, which the run reports; nothing is rendered then.
 */
export async function readVerification(
  store: Pick<ResourceStore, 'get'>,
  group: MemberGroup,
): Promise<VerifiedGroup> {
  const { sources, members } = group
  try {
    const projects = await readProjects(store, factsOf(members).projects)
    const verifications = await Promise.all(
      sources.map(({ repoUrl, targetRevision: revision }) =>
        sourceVerification(store, { repoUrl, projects, revision }),
      ),
    )
    const asked = verifications.map(verificationDigest).join('') + choicesText(projects)
    return { verifications, digest: digestWith(group, asked) }
  } catch (error) {
    if (!(error instanceof InvalidInputError)) throw error
    return { verifications: [], digest: digestWith(group, errorMessage(error)) }
  }
}

/** The layouts and tools that projects choose; empty when none does. */
function choicesText(projects: readonly AppProject[]): string {
  const chosen = projects.filter(
    ({ layout, syncTool }) => Object.keys(layout).length > 0 || syncTool !== undefined,
  )
  return chosen
    .map(
      ({ name, layout, syncTool }) =>
        `\n${[name, ...Object.values(layoutOf({}, layout)), ...(syncTool === undefined ? [] : [syncTool])].join(' ')}`,
    )
    .join('')
}

function digestWith({ digest }: MemberGroup, asked: string): string {
  if (asked === '') return digest
  return createHash('sha256').update(`${digest}\n${asked}`).digest('base64url').slice(0, 22)
}
